"""Description of a state without a run: scenario, keys, sliders, path and cost."""
