"""Reports: one self-contained HTML page a study, or of campaigns side by side.

| module | what |
|---|---|
| ``blocks`` | tables, figures and the words between them, as a page shows them |
| ``numbers`` | numbers as text |
| ``campaigns`` | the report of campaigns of scenario files |
| ``interactive`` | what a page has whose figures can be looked into |
| ``page`` | a template and its content become a file |

The reports of studies are in ``ackclock.studies``: each declares a ``Page``.
"""
