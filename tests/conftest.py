"""What holds for every test."""

import os

from hypothesis import settings

# No test asserts a time. Where CI is set, Hypothesis brings its own profile, which draws the same examples every time.
settings.register_profile("house", deadline=None)
if not os.environ.get("CI"):
    settings.load_profile("house")
