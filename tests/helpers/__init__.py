"""What tests of several folders share, one idea a module."""
