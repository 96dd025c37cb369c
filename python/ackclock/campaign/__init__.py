"""Many runs: their identity, the journal that keeps what is finished, and threads that run them."""
