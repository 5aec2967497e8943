"""The Settings dialog: pages of fields, each named after a field of `app.settings.Settings`.

What is typed is judged at once; what is right takes effect at once. `settings_controller.py` gives
it its effects; the pages know neither engine nor window.
"""
