"""The Models dialog, and what of it lives on when the dialog is closed: downloads.

`depot.py` owns files, downloads and the Hub for as long as the window lives; the pages show them
and say what the user wants. Network and disk are asked on plain threads (`background.py`), and the
answers arrive in slots.
"""
