"""The wire protocols of chess programs, UCI and XBoard: translators around one player."""
