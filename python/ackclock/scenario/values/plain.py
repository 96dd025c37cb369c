"""Values without a unit: whole numbers, shares, choices, texts."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Annotated, Any

from ackclock.errors import InputWarning
from ackclock.scenario.values.kind import Computed, Kind, exact, shown
from ackclock.suggestions import hint

_DECIMALS = {6: "six", 9: "nine"}
"""How fine the shares of a plan are."""


def plain(raw: Any) -> Any:
    """A TOML value, or the result of an expression, without its wrapping."""
    return raw.value if isinstance(raw, Computed) else raw


def or_word(kind: Kind, word: str) -> Kind:
    """Values of a kind, or ``None``, which is written as a word."""

    def read(raw: Any) -> Any:
        text = plain(raw)
        if isinstance(text, str) and text.strip() == word:
            return None
        try:
            return kind.read(raw)
        except ValueError as error:
            raise ValueError(f'{error}, or "{word}"') from None

    return replace(
        kind,
        accepts=f'{kind.accepts}, or "{word}"',
        read=read,
        write=lambda value: word if value is None else kind.write(value),
        number=lambda value: word if value is None else kind.number(value),
        unit=lambda value: None if value is None else kind.unit(value),
        schema={"anyOf": [dict(kind.schema), {"const": word}]},
        means_none=True,
    )


def whole(least: int, most: int, example: int, also: Sequence[str] = ()) -> Kind:
    """Whole numbers from ``least`` to ``most``; or one of the words ``also``."""
    instead = "".join(f', or "{each}"' for each in also)

    def read(raw: Any) -> int | str:
        word = plain(raw)
        if isinstance(word, str) and word in also:
            return word
        number = exact(plain(raw))
        if number is None or number.denominator != 1:
            hint = "; use round(...), floor(...) or ceil(...)" if isinstance(raw, Computed) else ""
            raise ValueError(
                f"expected a whole number, for example {example}{instead}"
                f"{hint if number is not None else ''}"
            )
        if not least <= number <= most:
            raise ValueError(f"must be from {least} to {most}, for example {example}{instead}")
        return int(number)

    schema: dict[str, Any] = {
        "type": "integer",
        "minimum": least,
        "maximum": most,
        "examples": [example],
    }
    return Kind(
        accepts=f"whole number from {least} to {most}{instead}",
        example=str(example),
        read=read,
        number=lambda value: value if isinstance(value, str) else Fraction(value),
        unit=lambda value: None if isinstance(value, str) else "",
        schema={"anyOf": [schema, *({"const": each} for each in also)]} if also else schema,
    )


def share(example: str, *, zero: bool, one: bool = True, decimals: int = 9) -> Kind:
    """Shares from 0 to 1, exact: numbers, or per cent; with or without 0 and 1 themselves.

    Args:
        example: a correct one.
        zero: whether 0 is one.
        one: whether 1 is one.
        decimals: how many there may be; what an expression gives is rounded to as many.
    """
    parts = 10**decimals
    low = "from 0" if zero else "above 0"
    high = "below 1" if not one else "to 1" if zero else "at most 1"
    words = f"{low} {high}" if high == "to 1" else f"{low} and {high}"
    wanted = f"expected a share {words}, for example {example}"

    def read(raw: Any) -> Fraction:
        value = plain(raw)
        number = _from_text(value) if isinstance(value, str) else exact(value)
        if number is None or not 0 <= number <= 1:
            raise ValueError(wanted)
        if isinstance(raw, Computed):
            number = Fraction(round(number * parts), parts)
        if (number == 0 and not zero) or (number == 1 and not one):
            raise ValueError(wanted)
        if (number * parts).denominator != 1:
            raise ValueError(f"has more than {_DECIMALS[decimals]} decimals; {wanted}")
        return number

    return Kind(
        accepts=f"share {words}: a number, or per cent",
        example=example,
        read=read,
        write=_decimal_number,
        unit=lambda value: "",
        schema={
            "anyOf": [
                {"type": "number", "minimum": 0, "maximum": 1},
                {"type": "string", "pattern": r"^\s*[0-9]+(\.[0-9]+)?\s*%?\s*$"},
            ],
            "examples": [example.strip('"')],
        },
    )


def above(least: int, most: int, example: str, *, equal: bool = False) -> Kind:
    """Plain numbers above ``least`` and at most ``most``, exact, with up to six decimals.

    Args:
        least: below all of them.
        most: the largest.
        example: a correct one.
        equal: whether ``least`` is one too.
    """
    decimals = 6
    span = f"from {least} to {most}" if equal else f"above {least} and at most {most}"
    wanted = f"expected a number {span}, for example {example}"

    def read(raw: Any) -> Fraction:
        number = exact(plain(raw))
        if number is None:
            raise ValueError(wanted)
        if isinstance(raw, Computed):
            number = Fraction(round(number * 10**decimals), 10**decimals)
        if not least <= number <= most or (number == least and not equal):
            raise ValueError(wanted)
        if (number * 10**decimals).denominator != 1:
            raise ValueError(f"has more than {_DECIMALS[decimals]} decimals; {wanted}")
        return number

    return Kind(
        accepts=f"number {span}",
        example=example,
        read=read,
        write=_decimal_number,
        unit=lambda value: "",
        schema={"type": "number", "minimum": least, "maximum": most, "examples": [float(example)]},
    )


def _from_text(text: str) -> Fraction | None:
    number, percent, rest = text.strip().partition("%")
    try:
        value = Fraction(number.strip()) if len(number) <= 30 and "e" not in number else None
    except (ValueError, ZeroDivisionError):
        return None
    if value is None or rest:
        return None
    return value / 100 if percent else value


def _decimal_number(value: Fraction) -> int | float:
    """With at most nine decimals, so that a float's text gives the share back."""
    return int(value) if value.denominator == 1 else float(value)


def choose_from(known: Sequence[str], meant: str = "") -> str:
    """What to say of a word that is none of the known ones."""
    return "; ".join(filter(None, [f"choose from {', '.join(map(shown, known))}", meant]))


def choice(
    names: Sequence[str],
    what: str = "",
    *,
    elsewhere: Mapping[str, str] | None = None,
    renamed: Mapping[str, str] | None = None,
) -> Kind:
    """One of some words.

    Args:
        names: the words.
        what: each of them is, for messages; if not given, messages list the words.
        elsewhere: says why a word is none of them here.
        renamed: earlier names of words, which are read with an ``InputWarning``.
    """
    known = list(names)

    def read(raw: Any) -> str:
        value = plain(raw)
        if value in known:
            return value
        if renamed and isinstance(value, str) and value in renamed:
            now = renamed[value]
            said = f"{shown(value)} is called {shown(now)} now; write {shown(now)}"
            warnings.warn(said, InputWarning, stacklevel=2)
            return now
        if elsewhere and isinstance(value, str) and value in elsewhere:
            raise ValueError(f"{elsewhere[value]}; choose from {', '.join(map(shown, known))}")
        meant = hint(value, known) if isinstance(value, str) else ""
        if meant and what:
            raise ValueError(f"is not the {what}; {meant}")
        raise ValueError(choose_from(known, meant))

    return Kind(
        accepts=what or " | ".join(map(shown, known)),
        example=shown(known[0]),
        read=read,
        schema={"enum": known},
    )


def _read_flag(raw: Any) -> bool:
    value = plain(raw)
    if not isinstance(value, bool):
        raise ValueError("must be true or false, without quotes")
    return value


def word(example: str, problem: Callable[[str], str | None], pattern: str = "") -> Kind:
    """Texts about which ``problem`` has nothing to say."""

    def read(raw: Any) -> str:
        text = plain(raw)
        said = problem(text) if isinstance(text, str) else "expected a text"
        if said:
            raise ValueError(f'{said}; write it like "{example}"')
        return text

    schema = {"type": "string", "examples": [example]}
    return Kind(
        accepts="text",
        example=shown(example),
        read=read,
        schema={**schema, "pattern": pattern} if pattern else schema,
    )


def listed(item: Kind, example: str, *, least: int = 1, most: int | None = None) -> Kind:
    """Lists of values of one kind."""

    def read(raw: Any) -> tuple[Any, ...]:
        values = plain(raw)
        if not isinstance(values, list | tuple):
            raise ValueError(f"expected a list; write it like {example}")
        if len(values) < least or (most is not None and len(values) > most):
            number = str(least) if most == least else f"at least {least}"
            raise ValueError(f"expected {number} values; write it like {example}")
        if isinstance(raw, Computed):
            values = [each if isinstance(each, Computed) else Computed(each) for each in values]
        return tuple(_read_item(item, each) for each in values)

    schema: dict[str, Any] = {"type": "array", "items": dict(item.schema), "minItems": least}
    return Kind(
        accepts=f"list of {item.accepts}",
        example=example,
        read=read,
        write=lambda values: [item.write(value) for value in values],
        number=lambda values: [item.number(value) for value in values],
        unit=lambda values: None,
        schema=schema if most is None else {**schema, "maxItems": most},
    )


def _read_item(item: Kind, value: Any) -> Any:
    try:
        return item.read(value)
    except ValueError as error:
        said = str(error)
        colon = "" if said.startswith(("is ", "must ", "has ")) else ":"
        raise ValueError(f"{shown(value)}{colon} {said}") from None


def _read_texts(raw: Any) -> dict[str, str]:
    value = plain(raw)
    if not isinstance(value, dict) or not all(isinstance(each, str) for each in value.values()):
        raise ValueError(
            'expected names and texts; write lines like "sizes.csv" = "u,bytes\\n1,2112"'
        )
    return value


FLAG = Kind(
    accepts="true | false",
    example="true",
    read=_read_flag,
    schema={"type": "boolean"},
)
TEXT = word("some words", lambda text: None)
TEXTS = Kind(
    accepts="names and texts",
    example='{ "sizes.csv" = "u,bytes\\n1,2112" }',
    read=_read_texts,
    number=lambda value: None,
    schema={"type": "object", "additionalProperties": {"type": "string"}},
)
Flag = Annotated[bool, FLAG]
"""True or false."""
Text = Annotated[str, TEXT]
"""Any text."""
Probability = Annotated[Fraction, share('"1 %"', zero=True)]
"""From 0 to 1, exact."""
POSITIVE_SHARE = share("0.8", zero=False)
PositiveShare = Annotated[Fraction, POSITIVE_SHARE]
"""Above 0, at most 1, exact."""
