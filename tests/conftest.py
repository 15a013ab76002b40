"""Settings of all tests."""

from hypothesis import settings

# How long an example takes says nothing: machines are shared, and the kernel may run with its checks on.
settings.register_profile("untimed", settings(), deadline=None)
settings.load_profile("untimed")
