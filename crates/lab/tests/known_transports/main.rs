//! What is known of present-day transports, in virtual time: numbers of RFCs, of papers and of those who measured.

mod cubic;
mod dumbbell;
mod ledbat;
mod pacing;
mod receive_window;
mod slow_start;
mod vegas;
mod westwood;
