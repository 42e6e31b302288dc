"""The test runner: marks of a program, its commands, its comparisons, the pool of workers."""
