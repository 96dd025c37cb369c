"""Published studies, re-run: one folder each, and ``common`` for what they share.

A study is a package of these modules; the command and the report find them by their names:

| module | what |
|---|---|
| ``scenario.toml``, ``published/`` | every number of the study; what the paper prints |
| ``result`` | ``Request``: what is asked for; what the study gives |
| ``settings`` | ``STUDY``: the scenario file and what ``--set`` may change of it |
| ``study`` | ``reproduce``: runs, tables, claims; ``CHOICES``: options that choose levels |
| ``outputs`` | ``write_files`` |
| ``tables`` | ``render``: tables for a terminal |
| ``claims`` | what the paper concludes, as tests |
"""
