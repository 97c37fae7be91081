// Replaced by the target's first test.
