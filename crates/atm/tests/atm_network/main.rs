//! ATM networks, from packets at hosts to cells at ports.

mod conservation;
mod contracts;
mod priority;
mod rates;
mod support;
mod trunk;
