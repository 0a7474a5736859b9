"""Drawings by matplotlib, which is imported only when one is made."""
