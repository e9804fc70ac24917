"""What kernels are made of: the build, the chunked driver, random numbers, tables, queues, and the SAT façade."""
