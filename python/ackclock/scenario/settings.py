"""Settings of a study: ``key=value`` pairs that change single fields of a nested pydantic model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from typing import Any, Literal, NamedTuple, TypeVar, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from ackclock.errors import InputError
from ackclock.scenario.fields import Written

Model = TypeVar("Model", bound=BaseModel)


class Setting(NamedTuple):
    """One field that can be set.

    Attributes:
        key: dotted path, for example "tcp.min_rto".
        value: its value in a model, as text.
        accepts: what may be written, with the unit.
        meaning: one sentence.
    """

    key: str
    value: str
    accepts: str
    meaning: str


def settings(model: BaseModel) -> list[Setting]:
    """All settings of a model with the values that they have in it, in the order of the fields."""
    values = _flat(model.model_dump(mode="json"))
    return [
        Setting(key, _text(values[key]), _accepts(field), field.description or "")
        for key, field in _fields(type(model))
    ]


def changed(model: BaseModel) -> list[str]:
    """The ``key=value`` pairs in which a model differs from its defaults."""
    defaults = {each.key: each.value for each in settings(type(model)())}
    return [
        f"{each.key}={each.value}" for each in settings(model) if each.value != defaults[each.key]
    ]


def apply(kind: type[Model], pairs: Sequence[str]) -> Model:
    """A model with its defaults, but for what the pairs change.

    Args:
        kind: the model's class; every field has a default.
        pairs: texts ``key=value``; ``key`` is a dotted path.

    Raises:
        InputError: with everything wrong that can be told at once: a pair without "=", an unknown
            key or one given twice, a value that its field refuses, fields that do not agree.
    """
    defaults = {each.key: each.value for each in settings(kind())}
    keys = list(defaults)
    given: dict[str, str] = {}
    problems = []
    for pair in pairs:
        key, equals, value = (part.strip() for part in pair.partition("="))
        if not equals:
            problems.append(
                f"--set {pair}: write key=value, for example {keys[0]}={defaults[keys[0]]}"
            )
        elif key not in keys:
            problems.append(f"--set {pair}: {_unknown(key, keys)}")
        elif key in given:
            problems.append(f"--set {pair}: {key} was already set to {given[key]}")
        else:
            given[key] = value
    try:
        model = kind.model_validate(_nested(given))
    except ValidationError as error:
        for detail in error.errors():
            problems += _messages(detail, given, defaults)
    if problems:
        raise InputError(problems)
    return model


def _fields(kind: type[BaseModel], prefix: str = "") -> Iterator[tuple[str, FieldInfo]]:
    for name, field in kind.model_fields.items():
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            yield from _fields(field.annotation, f"{prefix}{name}.")
        else:
            yield prefix + name, field


def _flat(nested: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in nested.items():
        flat |= (
            _flat(value, f"{prefix}{name}.") if isinstance(value, dict) else {prefix + name: value}
        )
    return flat


def _nested(given: dict[str, str]) -> dict[str, Any]:
    nested: dict[str, Any] = {}
    for key, value in given.items():
        *path, name = key.split(".")
        group = nested
        for each in path:
            group = group.setdefault(each, {})
        group[name] = value
    return nested


def _accepts(field: FieldInfo) -> str:
    for each in field.metadata:
        if isinstance(each, Written):
            return each.accepts
    if get_origin(field.annotation) is Literal:
        return " | ".join(get_args(field.annotation))
    if field.annotation is bool:
        return "true | false"
    bounds = {
        name: getattr(each, name)
        for each in field.metadata
        for name in ("ge", "le")
        if hasattr(each, name)
    }
    return "whole number from {ge} to {le}".format(**bounds)


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _unknown(key: str, keys: Iterable[str]) -> str:
    keys = list(keys)
    by_name = [known for known in keys if known.rpartition(".")[2] == key]
    close = by_name or get_close_matches(key, keys, n=1)
    hint = f"did you mean {close[0]}?" if close else "--list-settings shows all keys"
    return f"unknown key {key}; {hint}"


def _messages(detail: ErrorDetails, given: dict[str, str], defaults: dict[str, str]) -> list[str]:
    key = ".".join(map(str, detail["loc"]))
    cause = detail.get("ctx", {}).get("error")
    reason = str(cause) if isinstance(cause, ValueError) else detail["msg"]
    if key not in given:
        return [f"--set {line}" for line in reason.splitlines()]
    if cause is None:
        reason = f"{reason[0].lower()}{reason[1:]}; for example {defaults[key]}"
    return [f"--set {key}={given[key]}: {reason}"]
