"""Kendo Taikai playing cards."""
