"""Opinions."""
