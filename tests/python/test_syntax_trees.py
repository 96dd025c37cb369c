"""Parsing Python in several threads."""

import inspect
import sys
from concurrent.futures import ThreadPoolExecutor

from ackclock.campaign import worker
from ackclock.syntax_trees import syntax_tree

TEXT = inspect.getsource(worker)


class Garbage:
    """What the collector may end at any moment, with a change of threads."""

    def __init__(self):
        self.its = self

    def __del__(self):
        for _ in range(100):
            pass


def parse_often(_number):
    for _ in range(30):
        for _ in range(50):
            Garbage()
        syntax_tree(TEXT)


def test_threads_parse_at_the_same_time():
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(parse_often, range(8)))
    finally:
        sys.setswitchinterval(interval)
