"""privet: recommendations that do not betray the people they are learnt from."""

__version__ = "0.1.0"
