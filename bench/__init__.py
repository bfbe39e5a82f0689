"""Measurements, each with a peer beside it. ``python -m bench`` runs all, ``python -m bench NAME`` one."""
