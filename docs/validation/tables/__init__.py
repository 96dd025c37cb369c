"""The tables of the pages beside this folder, each from the CSV files of its page's folder.

A module a page, with ``TABLES``: by the name in the mark, what makes the table from that folder.
"""
