"""Formats: files and frames to columns and back, with line numbers."""
