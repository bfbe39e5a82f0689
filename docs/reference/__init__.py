"""The sections of docs/reference.md: tables of the program in, Markdown out."""
