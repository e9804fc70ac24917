"""Tests of `benchmarks/`. The folder has another name: Python knows only one package `benchmarks`."""
