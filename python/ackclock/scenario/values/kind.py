"""A kind of value: converts text of a file into an exact value, and back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler
    from pydantic_core import CoreSchema

_MOST_DIGITS = 30
_MOST_BITS = 10_000
EXPRESSION = {"type": "string", "pattern": "^=", "description": "an expression"}
"""JSON Schema of an expression, which may stand in the place of any value."""


@dataclass(frozen=True)
class Computed:
    """What an expression gave; a number is in the base unit of the key that it is for."""

    value: Any


@dataclass(frozen=True)
class Kind:
    """A kind of value, as an annotation of a field of a pydantic model.

    Attributes:
        accepts: what may be written, in words, for the reference.
        example: a correct value as written in a file.
        read: from a TOML value or a ``Computed``; raises ``ValueError`` with a message that names
            a correct value.
        schema: JSON Schema of what may be written, without expressions.
        write: the value as it may stand in a file.
        number: the value in an expression: a number in base units, a text, a truth or a list.
        unit: suffix of a column with such values: "s", "bit_s"; "" for a plain number; none for
            a text.
        means_none: whether a text such as "off" stands for ``None``; else it is no value.
        has_preset: whether "preset" stands for the value that the flavor of the TCP has.
    """

    accepts: str
    example: str
    read: Callable[[Any], Any]
    schema: Mapping[str, Any] = field(hash=False)
    write: Callable[[Any], Any] = lambda value: value
    number: Callable[[Any], Any] = lambda value: value
    unit: Callable[[Any], str | None] = lambda value: None
    means_none: bool = False
    has_preset: bool = False

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        """Reads the value of the file; dumping in JSON mode writes it again."""
        from pydantic_core import core_schema

        return core_schema.no_info_plain_validator_function(
            self.read,
            serialization=core_schema.plain_serializer_function_ser_schema(
                self.write, when_used="json"
            ),
        )


def exact(number: Any) -> Fraction | None:
    """A TOML number as a fraction, by its decimal text; none for anything else."""
    if isinstance(number, bool):
        return None
    if isinstance(number, int):
        return Fraction(number)
    if isinstance(number, Fraction):
        return number
    if isinstance(number, float):
        number = Decimal(repr(number))
    if not isinstance(number, Decimal):
        return None
    if not number.is_finite() or (number and abs(number.adjusted()) > _MOST_DIGITS):
        raise ValueError("is not a finite number, or far too large or small; write for example 0.5")
    return Fraction(number)


def decimal(number: Fraction | int) -> str:
    """A number as a person writes it: exact if it has a finite expansion, else twelve digits."""
    value = Fraction(number)
    if value.denominator == 1:
        return str(value.numerator)
    scaled = value * 10**_MOST_DIGITS
    if scaled.denominator == 1:
        sign, digits = ("-" if scaled < 0 else ""), f"{abs(scaled.numerator):0{_MOST_DIGITS + 1}d}"
        return f"{sign}{digits[:-_MOST_DIGITS]}.{digits[-_MOST_DIGITS:].rstrip('0')}"
    return f"{float(value):.12g}"


def shown(value: Any) -> str:
    """A value as it would stand in a TOML file, for messages."""
    if isinstance(value, Computed):
        return shown(value.value)
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, Fraction):
        return decimal(value)
    if isinstance(value, Decimal) and not value.is_finite():
        return "nan" if value.is_nan() else str(float(value))
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(shown, value))}]"
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{key} = {shown(each)}' for key, each in value.items())} }}"
    if isinstance(value, int) and value.bit_length() > _MOST_BITS:
        return hex(value)  # Python writes no number of thousands of digits
    return str(value)
