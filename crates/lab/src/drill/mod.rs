//! Scripts in packetdrill's language, run against an endpoint in virtual time.
//!
//! Source: Cardwell et al., "packetdrill: scriptable network stack testing, from sockets to
//! packets", USENIX ATC 2013, and its later versions for the language. The endpoint is a
//! [`tcp::Connection`] and not a kernel: timers run out exactly on time, data have a
//! length and no content, and there is one connection. `docs/reference/drill.md` describes scripts and
//! comparisons.
//!
//! | module | what |
//! |---|---|
//! | `lexer`, `parser` | text -> tokens -> tree |
//! | [`syntax`], `print` | the tree, and the tree as text |
//! | `settings`, `calls`, `check` | the meaning of options and system calls; all problems at once |
//! | `runner` | the state of a script that runs |
//! | `run`, `expecting` | events at their times; waiting for a segment |
//! | `calling`, `perform` | system calls: their return, their effects |
//! | `endpoint`, `sockets`, `shell` | the connection in the script's numbers; file descriptors; `sysctl` lines |
//! | `matching`, `info` | comparison of segments; values for code blocks |
//! | [`report`], `answer` | the report of a run; the same as JSON |

mod answer;
mod calling;
mod calls;
mod check;
mod endpoint;
mod expecting;
mod info;
mod lexer;
mod matching;
mod parser;
mod perform;
mod print;
mod problem;
pub mod report;
mod run;
mod runner;
mod settings;
mod shell;
mod sockets;
pub mod syntax;

pub use answer::answer;
pub use problem::{Position, Problem};
pub use report::Report;
pub use run::{Refusal, run};
pub use runner::Setup;
pub use syntax::Script;

/// Reads a script.
///
/// # Errors
/// All parts that cannot be read or are not supported, in the order of the text.
pub fn parse(text: &str) -> Result<Script, Vec<Problem>> {
    let (script, mut problems) = parser::script(text);
    problems.extend(check::check(&script).1);
    if problems.is_empty() {
        return Ok(script);
    }
    problems.sort_by_key(|problem| problem.at.order());
    Err(problems)
}
