"""Simulated TCP beside the kernel's, from the same plans and seeds.

``make`` makes the runs, ``compare`` sets them side by side, ``write`` writes the pages.
"""

from ackclock.kernel_validation.comparison import compare
from ackclock.kernel_validation.pages import write
from ackclock.kernel_validation.runs import Made, Request, make

__all__ = ["Made", "Request", "compare", "make", "write"]
