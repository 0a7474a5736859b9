"""Plots by Matplotlib, which is imported only when a plot is made."""
