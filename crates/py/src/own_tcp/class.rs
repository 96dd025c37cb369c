//! A class of a congestion control.

use super::failure::code_error;
use lab::plan::Code;
use pyo3::prelude::*;

/// A class, or another callable that makes objects.
pub(super) struct Class {
    pub(super) file: String,
    pub(super) name: String,
    pub(super) text: String,
    pub(super) make: Py<PyAny>,
    pub(super) reduces_itself: bool,
    pub(super) has: Methods,
}

/// Which of the methods that a class may leave out it has.
#[derive(Clone, Copy)]
pub(super) struct Methods {
    pub(super) save: bool,
    pub(super) on_spurious: bool,
    pub(super) on_unlimited: bool,
}

impl Class {
    pub(super) fn new(code: &Code, make: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = make.py();
        let Code { file, class: name, text } = code;
        let reduction =
            make.getattr_opt("reduction")?.map_or_else(|| "prr".to_owned(), |its| its.to_string());
        if !["prr", "own"].contains(&reduction.as_str()) {
            let message = format!(r#"{file}: {name}.reduction is "{reduction}"; write "prr" or "own""#);
            return Err(code_error(py, &message));
        }
        let has = Methods {
            save: make.hasattr("save")?,
            on_spurious: make.hasattr("on_spurious")?,
            on_unlimited: make.hasattr("on_unlimited")?,
        };
        Ok(Self {
            file: file.clone(),
            name: name.clone(),
            text: text.clone(),
            make: make.clone().unbind(),
            reduces_itself: reduction == "own",
            has,
        })
    }
}
