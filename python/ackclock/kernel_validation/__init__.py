"""Simulated TCP beside the kernel's, from the same plans and seeds.

``make`` makes the runs, ``compare`` sets them side by side, ``write`` writes the pages.
"""

from ackclock.kernel_validation.comparison import compare
from ackclock.kernel_validation.making import Made, Request, make
from ackclock.kernel_validation.writing import write

__all__ = ["Made", "Request", "compare", "make", "write"]
