"""What every domain must do, whoever wrote it: the tests run over the registry and the template domain."""
