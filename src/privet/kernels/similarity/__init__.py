"""What similarities are summed up with: the raters of items, laid out for speed, and the loops over them."""
