"""Settings of the test tools."""

from hypothesis import settings

# A machine may be busy: a slow example is no failure.
settings.register_profile("ackclock", deadline=None)
settings.load_profile("ackclock")
