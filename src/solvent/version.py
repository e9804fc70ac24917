"""The one place that states the version; importing it costs nothing."""

__version__ = "0.1.0"
