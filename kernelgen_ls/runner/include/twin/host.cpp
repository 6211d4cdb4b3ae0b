// Everything that host code of operators calls, and the program that runs a tiling function: compiled once a machine and
// linked with the objects of an operator's op_host.
#include "../kernelgen_host.h"

#include "host_values.cpp"
#include "host_context.cpp"
#include "host_registration.cpp"
#include "host_platform.cpp"
#include "host_matmul.cpp"
#include "host_softmax.cpp"
#include "host_run.cpp"
