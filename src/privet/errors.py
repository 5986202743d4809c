"""Every error that privet raises on purpose.

PrivetError
├── InputError (also a ValueError): what was handed in
│   ├── ParameterError    a setting outside its domain
│   ├── RatingsError      ratings, or a file of them, that cannot be what they claim
│   ├── UnknownIdError    an id that is in no registry (also a KeyError)
│   └── Unattainable      a wish that these data and settings cannot meet
├── PrivacyError          a promise that would be broken
│   └── BudgetExhausted   nothing left to spend
├── StoreError            what must outlive a process could not be written or read
└── MissingExtra          an optional dependency that is not installed (also an ImportError)

A message says what must be, what came, and what to do. What a program may want to act on is a field too.
"""


class PrivetError(Exception):
    """Anything privet refuses to do, with the reason in one sentence."""


class InputError(PrivetError, ValueError):
    """What was handed in cannot be used."""


class ParameterError(InputError):
    """A setting is outside its domain."""

    def __init__(self, message: str, *, owner: str | None = None, name: str | None = None, got: object = None):
        super().__init__(message)
        self.owner, self.name, self.got = owner, name, got


class RatingsError(InputError):
    """Ratings, or a file of them, are not what they claim to be."""

    def __init__(self, reason: str, *, file: str | None = None, line: int | None = None, row: int | None = None):
        self.reason, self.file, self.line, self.row = reason, file, line, row
        place = ", ".join(
            part
            for part in (
                file,
                None if line is None else f"line {line}",
                None if row is None else f"row {row}",
            )
            if part
        )
        super().__init__(f"{place}: {reason}" if place else reason)


class UnknownIdError(InputError, KeyError):
    """An id is in no registry."""

    def __init__(self, message: str, *, id: object = None):
        super().__init__(message)
        self.id = id

    def __str__(self) -> str:
        """KeyError would print the message's repr."""
        return str(self.args[0])


class Unattainable(InputError):
    """A wish that these data and settings cannot meet."""


class PrivacyError(PrivetError):
    """A promise would be broken."""


class BudgetExhausted(PrivacyError):
    """Nothing is left to spend."""


class StoreError(PrivetError):
    """What must outlive a process could not be written or read."""


class MissingExtra(PrivetError, ImportError):
    """An optional dependency is not installed."""

    def __init__(self, extra: str, *, purpose: str):
        self.extra = extra
        super().__init__(f'{purpose} needs the extra "{extra}": pip install "privet[{extra}]"')
