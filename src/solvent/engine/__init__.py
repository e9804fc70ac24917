"""What kernels are made of: compiling, the chunked driver, random numbers, tables, queues, and the SAT façade."""
