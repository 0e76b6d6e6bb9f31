"""The tab "Why": recorded searches, their trees and lessons."""
