"""Reports: one self-contained HTML page a study.

| module | what |
|---|---|
| ``blocks`` | tables and figures as a page shows them |
| ``numbers`` | numbers as text |
| ``page`` | a template and its content become a file |
| ``ubr_web`` | the report of the WWW-over-UBR+ study |
"""
