// OpenMP.
#ifndef KERNELGEN_STD_OMP_H
#define KERNELGEN_STD_OMP_H
extern "C" {
int omp_get_thread_num();
int omp_get_num_threads();
int omp_get_max_threads();
int omp_get_num_procs();
void omp_set_num_threads(int count);
double omp_get_wtime();
}
#endif
