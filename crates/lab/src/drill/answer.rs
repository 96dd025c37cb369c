//! Reads and runs a script in one step, and returns JSON for the binding.

use super::problem::{Position, Problem};
use super::report::Report;
use super::run::{Refusal, run};
use super::runner::Setup;
use super::syntax::{Action, Script};
use super::{check, info, parser};
use serde::Serialize;

/// The result of a script.
#[derive(Serialize)]
struct Answer<'a> {
    /// Why it was not run.
    problems: Vec<Problem>,
    /// Its code blocks, run or not.
    code: Vec<Code<'a>>,
    /// The names that they can use.
    names: &'static [&'static str],
    /// The report of the run, if there was one.
    report: Option<Report>,
}

/// A code block and where it opens.
#[derive(Serialize)]
struct Code<'a> {
    #[serde(flatten)]
    at: Position,
    text: &'a str,
}

/// Reads a script, and runs it if it has no problems.
///
/// `setup` is a [`Setup`] as JSON. The answer is JSON: `problems`, `code`, `names` and `report`,
/// of which the latter is null if there are problems.
///
/// # Errors
/// If the setup is invalid, in a sentence.
pub fn answer(text: &str, setup: &str) -> Result<String, String> {
    let setup: Setup = serde_json::from_str(setup).map_err(|error| format!("not a setup: {error}"))?;
    let (script, mut problems) = parser::script(text);
    problems.extend(check::check(&script).1);
    problems.sort_by_key(|problem| problem.at.order());
    let report = if problems.is_empty() {
        match run(&script, &setup) {
            Ok(report) => Some(report),
            Err(Refusal::Setup(message)) => return Err(message),
            Err(Refusal::Script(found)) => {
                problems = found;
                None
            }
        }
    } else {
        None
    };
    let answer = Answer { problems, code: code(&script), names: &info::NAMES, report };
    serde_json::to_string(&answer).map_err(|error| error.to_string())
}

fn code(script: &Script) -> Vec<Code<'_>> {
    let blocks = script.events.iter().filter_map(|event| match &event.action {
        Action::Code(at, text) => Some(Code { at: *at, text }),
        _ => None,
    });
    blocks.collect()
}
