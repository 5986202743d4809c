"""Testing: what our tests and other people's need to try ratings and selectors of every shape."""
