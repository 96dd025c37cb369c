//! The test cases of draft-ietf-ccwg-bbr, appendix A: a flow over a path, in virtual time. Each test is named after its case.

mod aggregation;
mod path;
mod probe_bw;
mod probe_rtt;
mod rates;
mod spurious;
mod startup;
