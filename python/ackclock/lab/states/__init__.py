"""What a state is, without a run: its scenario, keys, sliders, path and cost."""
