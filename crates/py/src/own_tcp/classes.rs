//! The classes of a plan.

use super::class::Class;
use super::failure::{Failure, code_error, located};
use super::object::Object;
use lab::Plan;
use lab::control::{ConnectionEnd, Control, Controls};
use lab::plan::Code;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Permissions to execute code that plans contain; threads may give and withdraw theirs in any order.
static PERMISSIONS: AtomicUsize = AtomicUsize::new(0);

/// Gives this process a permission to execute code that plans contain, or withdraws one that was given.
#[pyfunction]
pub(crate) fn allow_code(allowed: bool) {
    if allowed {
        PERMISSIONS.fetch_add(1, Ordering::Relaxed);
    } else {
        let withdrawn = |permissions: usize| permissions.checked_sub(1);
        // Without a permission there is none to withdraw.
        let _ = PERMISSIONS.fetch_update(Ordering::Relaxed, Ordering::Relaxed, withdrawn);
    }
}

/// Whether this process may execute code that plans contain.
#[pyfunction]
pub(crate) fn code_is_allowed() -> bool {
    PERMISSIONS.load(Ordering::Relaxed) > 0
}

/// The classes of a plan, by its TCPs.
pub(crate) struct Classes {
    classes: Vec<Option<Arc<Class>>>,
    failure: Arc<Failure>,
}

impl Classes {
    /// Executes the files of a plan; none for a plan without code. Where a plan has no text, objects come from `make`.
    ///
    /// # Errors
    /// If this process may not execute code, or it raises an exception.
    pub(crate) fn of(py: Python<'_>, plan: &Plan, make: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Self>> {
        let codes: Vec<_> = plan.codes().collect();
        if codes.iter().all(Option::is_none) {
            return Ok(None);
        }
        let mut files = BTreeMap::new();
        let mut class = |code: &Code| -> PyResult<Arc<Class>> {
            if code.text.is_empty()
                && let Some(make) = make
            {
                return Class::new(code, make).map(Arc::new);
            }
            let key = (code.file.clone(), code.text.clone());
            if !files.contains_key(&key) {
                files.insert(key.clone(), executed(py, code)?);
            }
            let Some(found) = files[&key].get_item(&code.class)? else {
                return Err(code_error(py, &format!("{}: defines no class {}", code.file, code.class)));
            };
            Class::new(code, &found).map(Arc::new)
        };
        let classes = codes.iter().map(|code| code.map(&mut class).transpose()).collect::<PyResult<_>>()?;
        Ok(Some(Self { classes, failure: Arc::default() }))
    }

    /// Where its objects leave the first exception.
    pub(crate) fn failure(&self) -> Arc<Failure> {
        Arc::clone(&self.failure)
    }
}

/// The names that a file defines.
///
/// # Errors
/// If this process may not execute code, or it raises an exception.
fn executed<'py>(py: Python<'py>, code: &Code) -> PyResult<Bound<'py, PyDict>> {
    if !code_is_allowed() {
        let file = &code.file;
        let message = format!("this scenario runs Python code from {file}; read it, then add --allow-code");
        return Err(code_error(py, &message));
    }
    let names = PyDict::new(py);
    let module = code.file.rsplit('/').next().unwrap_or_default().trim_end_matches(".py");
    names.set_item("__name__", module)?;
    names.set_item("__file__", &code.file)?;
    let builtins = py.import("builtins")?;
    names.set_item("__builtins__", &builtins)?;
    let options = PyDict::new(py);
    options.set_item("dont_inherit", true)?;
    let compiled = builtins.getattr("compile")?.call((&code.text, &code.file, "exec"), Some(&options));
    let done = compiled.and_then(|compiled| builtins.getattr("exec")?.call1((compiled, &names)));
    done.map_err(|error| located(py, &code.file, error, None, ""))?;
    Ok(names)
}

impl Controls for Classes {
    fn control(&self, end: &ConnectionEnd) -> Box<dyn Control> {
        let class = self.classes[end.config].as_ref().expect("a control is made where there is code");
        Box::new(Object::new(Arc::clone(class), Arc::clone(&self.failure), end.flow, end.seed))
    }
}
