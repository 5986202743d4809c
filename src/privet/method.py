"""Method: a similarity, a selector, a predictor and k, with one grammar for Python, files and command lines.

`ppns:p=.9,k=400; similarity=cosine; predictor=weighted; candidates=all`. All but the selector may be left out.
"""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from privet.errors import ParameterError
from privet.prediction import PREDICTORS, Predictor, weighted_mean
from privet.selection import SELECTORS, Selector
from privet.settings import Setting, check, refusal, setting, settings_of, written
from privet.similarity import SIMILARITIES, Similarity, cosine

_PART = re.compile(r"(?P<name>[a-z_]+)\s*(?:\((?P<settings>.*)\))?")
_EXAMPLES = {"selector": "PPNS(p=.5)", "similarity": "similarity.cosine", "predictor": "WeightedMean()"}
_NOT_YET: Mapping[str, str] = {
    **dict.fromkeys(("npns", "pncf", "cbns", "ramp", "shoulder"), "This way of choosing is not in this version."),
    **dict.fromkeys(("mean", "popular"), "Baselines are not in this version."),
    "noisy": "Private similarities are not in this version.",
    "noisy_mean": "Private predictions are not in this version.",
    "noisy_votes": "Private predictions are not in this version.",
    "private": "Private methods by a public rule are not in this version.",
    "world": "World releases are not in this version.",
}


@dataclass(frozen=True, kw_only=True)
class Method:
    """How neighbours are found, chosen and asked.

    >>> method = Method.parse("ppns:p=.9,k=400")
    >>> str(method)
    'ppns:p=0.9,epsilon=1,sensitivity=pair,short=refuse,k=400; similarity=cosine; predictor=weighted; candidates=all'
    >>> Method.parse(str(method)) == method
    True
    """

    selector: Selector
    similarity: Similarity = cosine
    predictor: Predictor = weighted_mean
    k: int = setting(int, "how many neighbours are chosen", default=50, at_least=1)
    candidates: str = setting(str, "who may become a neighbour: every other user", default="all", choices=("all",))

    def __post_init__(self) -> None:
        """Check the settings, and that the parts are parts."""
        check(self)
        for part, verb in (("selector", "plan"), ("similarity", "bound"), ("predictor", "predict")):
            got: object = getattr(self, part)
            if isinstance(got, type) or not callable(getattr(got, verb, None)):
                raise ParameterError(
                    f"The {part} of a method is a value such as {_EXAMPLES[part]}; got {got!r}"[:200] + ".",
                    owner="Method",
                    name=part,
                    got=got,
                )

    @classmethod
    def parse(cls, text: str) -> "Method":
        """The method that a text names."""
        if not isinstance(text, str):
            raise ParameterError(f"A method is named by text, such as 'knn:k=50'; got {text!r}"[:200] + ".", got=text)
        first, *others = [part.strip() for part in text.split(";")]
        name, _, settings = first.partition(":")
        given = _pairs(settings, first)
        k_text = given.pop("k", None)
        selector = _made("selector", SELECTORS, name.strip(), given)
        parts: dict[str, Any] = {}
        for part in others:
            key, equals, value = (word.strip() for word in part.partition("="))
            if key in parts or (key == "k" and k_text is not None):
                raise ParameterError(f"A method has each part once; got {key} twice in {text!r}.", name=key)
            if key == "k" and equals:
                k_text = parts["k"] = value
            else:
                parts[key] = _part(key, value, part)
        if k_text is not None:
            parts["k"] = _read("Method", "k", settings_of(cls)["k"], k_text)
        return cls(selector=selector, **parts)

    def __str__(self) -> str:
        choice = ",".join(word for word in (written(self.selector, show=_shown), f"k={self.k}") if word)
        return "; ".join(
            (
                f"{_name(SELECTORS, self.selector)}:{choice}",
                f"similarity={_call(SIMILARITIES, self.similarity)}",
                f"predictor={_call(PREDICTORS, self.predictor)}",
                f"candidates={self.candidates}",
            )
        )

    def digest(self) -> bytes:
        """32 bytes that stand for the text."""
        return hashlib.blake2b(str(self).encode(), digest_size=32, person=b"privet.method").digest()


def _part(key: str, value: str, part: str) -> Any:
    if key in _NOT_YET:
        raise _not_yet(key)
    if key == "candidates":
        return value
    registers: dict[str, Mapping[str, Any]] = {"similarity": SIMILARITIES, "predictor": PREDICTORS}
    if key not in registers:
        raise ParameterError(
            f"A method has the parts similarity, predictor, candidates and k behind its selector; got {part!r}.",
            name=key,
            got=value,
        )
    match = _PART.fullmatch(value)
    if match is None:
        raise ParameterError(f"A part is written {key}=name or {key}=name(setting=value); got {part!r}.", name=key)
    name = match["name"]
    if name in _NOT_YET:
        raise _not_yet(name)
    return _made(key, registers[key], name, _pairs(match["settings"] or "", part))


def _made(kind: str, register: Mapping[str, type[Any]], name: str, given: Mapping[str, str]) -> Any:
    if name in _NOT_YET:
        raise _not_yet(name)
    if name not in register:
        raise ParameterError(
            f"There is no {kind} {name!r}; there is {_listed(register)}.", owner="Method", name=kind, got=name
        )
    owner = register[name]
    known = settings_of(owner)
    for key, value in given.items():
        if key not in known:
            has = f"has {_listed(known)}" if known else "has no settings"
            k = " and k" if kind == "selector" else ""
            raise ParameterError(
                f"There is no setting {key!r} of {name}: it {has}{k}.", owner=owner.__name__, name=key, got=value
            )
    return owner(**{key: _read(owner.__name__, key, known[key], value) for key, value in given.items()})


def _read(owner: str, name: str, described: Setting, text: str) -> Any:
    if described.optional and text == "none":
        return None
    try:
        return described.kind(text)
    except ValueError:
        raise refusal(owner, name, described, text) from None


def _pairs(text: str, whole: str) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for pair in text.split(",") if text.strip() else ():
        key, equals, value = (word.strip() for word in pair.partition("="))
        if not key or not equals or not value:
            raise ParameterError(f"Settings are written key=value,key=value; got {pair.strip()!r} in {whole!r}.")
        if key in pairs:
            raise ParameterError(f"A setting is given once; got {key} twice in {whole!r}.", name=key)
        pairs[key] = value
    return pairs


def _call(register: Mapping[str, type[Any]], part: object) -> str:
    settings = written(part, show=_shown)
    return _name(register, part) + (f"({settings})" if settings else "")


def _name(register: Mapping[str, type[Any]], part: object) -> str:
    """The name in the register; a part from elsewhere is named by its class, which can be told apart but not parsed."""
    kind = type(part)
    names = {registered: name for name, registered in register.items()}
    return names.get(kind, f"{kind.__module__}.{kind.__qualname__}")


def _shown(value: object) -> str:
    if value is None:
        return "none"
    return repr(value).removesuffix(".0") if isinstance(value, float) else str(value)


def _listed(names: Mapping[str, object]) -> str:
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


def _not_yet(name: str) -> ParameterError:
    return ParameterError(
        f"{_NOT_YET[name]} It has the selectors {_listed(SELECTORS)}, the similarities {_listed(SIMILARITIES)} and the"
        f" predictor {_listed(PREDICTORS)}.",
        owner="Method",
        name=name,
    )
