//! Congestion controls in Python, whose text is in the plan.
//!
//! | file | what |
//! |---|---|
//! | `classes.rs`, `class.rs` | executes the text of each file once a run, and finds the classes |
//! | `object.rs` | an object of such a class as the congestion control of a connection |
//! | `flow.rs`, `sample.rs` | what the object gets: its connection, and each ACK |
//! | `failure.rs` | the first exception of a run, and where it came from |
//! | `wrong_value.rs` | the line that sets an attribute to something else than a number |

mod class;
mod classes;
mod failure;
mod flow;
mod object;
mod sample;
mod wrong_value;

pub(crate) use classes::{Classes, allow_code, code_is_allowed};
pub(crate) use failure::Failure;
pub(crate) use flow::Flow;
pub(crate) use sample::Sample;
