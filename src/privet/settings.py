"""Settings: a field that knows its domain, checked once where the value is made.

A class with settings is a frozen dataclass that calls `check(self)` in `__post_init__`. The same metadata writes the
grammar of methods, their errors and what `privet recommend --help` says of them.
"""

from collections.abc import Callable
from dataclasses import MISSING, dataclass, field, fields
from math import isfinite
from numbers import Integral, Real
from operator import index
from typing import Any, SupportsIndex

from privet.errors import ParameterError


@dataclass(frozen=True, slots=True)
class Setting:
    """What one setting means and which values it may take."""

    says: str
    kind: type
    above: float | None = None
    at_least: float | None = None
    at_most: float | None = None
    choices: tuple[str, ...] = ()
    optional: bool = False

    @property
    def domain(self) -> str:
        """The values that are allowed, in words."""
        if self.choices:
            return "one of " + ", ".join(self.choices)
        parts = [
            f"{word} {bound:g}"
            for word, bound in (("above", self.above), ("at least", self.at_least), ("at most", self.at_most))
            if bound is not None
        ]
        noun = {int: "a whole number", float: "a number", str: "a word"}[self.kind]
        return " ".join([noun, " and ".join(parts)]).strip()

    def demand(self, name: str) -> str:
        """What a value must be, said around its name: `0 < p <= 1`."""
        if self.choices or self.kind is str or (self.above, self.at_least, self.at_most) == (None, None, None):
            return f"{name} to be {self.domain}"
        floor = self.at_least if self.above is None else self.above
        strict = "" if self.above is not None else "="
        if self.at_most is None:
            compared = f"{name} >{strict} {floor:g}"
        elif floor is None:
            compared = f"{name} <= {self.at_most:g}"
        else:
            compared = f"{floor:g} <{strict} {name} <= {self.at_most:g}"
        return f"a whole number {compared}" if self.kind is int else compared

    def plain(self, value: Any) -> Any:
        """A number of any make, NumPy's too, as the kind of number that this is."""
        if isinstance(value, bool) or not isinstance(value, Real):
            return value
        if self.kind is float:
            return float(value)
        return int(value) if self.kind is int and isinstance(value, Integral) else value

    def allows(self, value: object) -> bool:
        """Whether a value lies in the domain."""
        if value is None:
            return self.optional
        if self.choices:
            return value in self.choices
        if isinstance(value, bool) or not isinstance(value, (int, float) if self.kind is float else self.kind):
            return False
        if not isinstance(value, (int, float)):
            return True
        return (
            isfinite(value)
            and (self.above is None or value > self.above)
            and (self.at_least is None or value >= self.at_least)
            and (self.at_most is None or value <= self.at_most)
        )


def setting(
    kind: type,
    says: str,
    *,
    default: Any = MISSING,
    above: float | None = None,
    at_least: float | None = None,
    at_most: float | None = None,
    choices: tuple[str, ...] = (),
    optional: bool = False,
) -> Any:
    """Declare one keyword-only setting of a frozen dataclass."""
    described = Setting(says, kind, above, at_least, at_most, choices, optional)
    return field(default=default, kw_only=True, metadata={"setting": described})


def settings_of(owner: Any) -> dict[str, Setting]:
    """The settings of a class or value, by name, in order."""
    return {f.name: f.metadata["setting"] for f in fields(owner) if "setting" in f.metadata}


def check(owner: Any) -> None:
    """Refuse settings outside their domains, and keep numbers as Python's own: what is equal is written alike."""
    for name, described in settings_of(owner).items():
        value = described.plain(getattr(owner, name))
        if not described.allows(value):
            raise refusal(type(owner).__name__, name, described, value)
        object.__setattr__(owner, name, value)


def must_be(name: str, got: object, *kinds: type) -> None:
    """Refuse what is of another kind. A key is not shown."""
    if not isinstance(got, kinds):
        wanted = " or ".join(kind.__name__ for kind in kinds)
        came = type(got).__name__ if bytes in kinds else repr(got)[:120]
        raise ParameterError(f"{name} must be of the kind {wanted}; got {came}.", name=name)


def is_whole(value: object, *, at_least: int | None = None) -> bool:
    """Whether a value is a whole number, not a truth value, and not too small."""
    if isinstance(value, bool) or not isinstance(value, SupportsIndex):
        return False
    try:
        return at_least is None or index(value) >= at_least
    except TypeError:  # an array of one number looks like one
        return False


def refusal(owner: str, name: str, described: Setting, got: object) -> ParameterError:
    """The error for a value outside its domain: what must be, what came, what the setting means."""
    return ParameterError(
        f"{owner} needs {described.demand(name)}; got {name}={got!r}. {name} is {described.says}.",
        owner=owner,
        name=name,
        got=got,
    )


def written(owner: Any, *, show: Callable[[Any], str] = str) -> str:
    """All settings as `key=value,key=value`: those at their defaults too, so that a default may change some day."""
    return ",".join(f"{name}={show(getattr(owner, name))}" for name in settings_of(owner))
