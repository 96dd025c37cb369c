"""Reports: one self-contained HTML page a study, or of campaigns side by side.

| module | what |
|---|---|
| ``blocks`` | tables and figures as a page shows them |
| ``numbers``, ``words`` | numbers as text; sentences about any result |
| ``conventions`` | the table of all settings |
| ``sections`` | the sections of a page about a study in parts |
| ``campaigns`` | the report of campaigns of scenario files |
| ``interactive`` | what a page has whose figures can be looked into |
| ``page`` | a template and its content become a file |
| ``ubr_web``, ``newreno``, ``abr_web`` | the report of each study |
"""
