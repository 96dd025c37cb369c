//! Errors of attributes that are no such number.

use super::class::Class;
use super::failure::code_error;
use pyo3::prelude::*;

/// An error of an attribute that is no such number, at the line that sets it, if there is one such line.
pub(super) fn wrong_value(
    class: &Class,
    py: Python<'_>,
    object: &Bound<'_, PyAny>,
    (method, attribute): (&str, &str),
    wanted: &str,
    when: &str,
) -> PyErr {
    let shown = object
        .getattr(attribute)
        .and_then(|value| value.repr())
        .map_or_else(|_| "missing".to_owned(), |repr| repr.to_string());
    let first = object
        .getattr(method)
        .and_then(|method| method.getattr("__code__"))
        .and_then(|code| code.getattr("co_firstlineno"))
        .and_then(|line| line.extract::<usize>());
    let line = first.map_or_else(
        |_| String::new(),
        |first| format!(", line {}", assignment(&class.text, first, attribute).unwrap_or(first)),
    );
    let (file, name) = (&class.file, &class.name);
    code_error(py, &format!("{file}{line}, in {name}.{method}: {attribute} is {shown}; {wanted}{when}"))
}

/// The only line of the function that begins at a line, from 1 on, which sets `self.attribute`.
fn assignment(text: &str, first: usize, attribute: &str) -> Option<usize> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let lines: Vec<_> = text.lines().collect();
    let depth = indent(lines.get(first.checked_sub(1)?)?);
    let body = lines.iter().enumerate().skip(first);
    let body = body.take_while(|(_, line)| line.trim().is_empty() || indent(line) > depth);
    let mut setting = body.filter(|(_, line)| sets(line, attribute)).map(|(at, _)| at + 1);
    let only = setting.next();
    only.filter(|_| setting.next().is_none())
}

fn sets(line: &str, attribute: &str) -> bool {
    let Some((_, after)) = line.split_once(&format!("self.{attribute}")) else { return false };
    let operator = after.trim_start().trim_start_matches(['+', '-', '*', '/', '%', '>', '<', '&', '|']);
    operator.starts_with('=') && !operator.starts_with("==")
}
