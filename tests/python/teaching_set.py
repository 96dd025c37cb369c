"""The teaching set, scenarios/*.toml: its files, and numbers of their results."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
SCENARIOS = {path.stem: path for path in sorted((ROOT / "scenarios").glob("*.toml"))}


def means(results, metric):
    """Means by level, or by levels."""
    return results.metrics.groupby(list(results.factors), sort=False)[metric].mean()


def goodputs(results):
    """Mean goodput of a flow: a row a level, a column a group; "cross 1" and "cross 2" are one."""
    flows = results.flows
    group = flows["group"].astype(str).str.replace(r" \d+$", "", regex=True)
    return flows.groupby([*results.factors, group], sort=False)["goodput_bit_s"].mean().unstack()
