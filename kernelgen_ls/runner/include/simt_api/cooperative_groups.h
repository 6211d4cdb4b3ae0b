// Groups of SIMT threads.
#ifndef KERNELGEN_SIMT_API_COOPERATIVE_GROUPS_H
#define KERNELGEN_SIMT_API_COOPERATIVE_GROUPS_H
#include "simt_api/device_functions.h"
namespace cooperative_groups {
template <unsigned count> struct block_tile_memory { unsigned char storage[8 * ((count + 31) / 32) + 64]; };
class thread_group {
public:
    __aicore__ unsigned long long size() const;
    __aicore__ unsigned long long num_threads() const;
    __aicore__ unsigned long long thread_rank() const;
    __aicore__ void sync() const;
};
class thread_block : public thread_group {
public:
    static __aicore__ void sync();
    static __aicore__ unsigned thread_rank();
    static __aicore__ dim3 group_index();
    static __aicore__ dim3 thread_index();
    static __aicore__ dim3 dim_threads();
    static __aicore__ unsigned num_threads();
    static __aicore__ unsigned size();
    static __aicore__ dim3 group_dim();
};
/// What a group of threads of a warp can do together.
class lane_group : public thread_group {
public:
    __aicore__ unsigned long long meta_group_rank() const;
    __aicore__ unsigned long long meta_group_size() const;
    template <typename T> __aicore__ T shfl(T var, int src_rank) const;
    template <typename T> __aicore__ T shfl_up(T var, unsigned delta) const;
    template <typename T> __aicore__ T shfl_down(T var, unsigned delta) const;
    template <typename T> __aicore__ T shfl_xor(T var, unsigned lane_mask) const;
    __aicore__ int any(int predicate) const;
    __aicore__ int all(int predicate) const;
    __aicore__ unsigned ballot(int predicate) const;
};
class coalesced_group : public lane_group {};
template <unsigned count, typename Parent = void>
class thread_block_tile : public lane_group {
    static_assert(count != 0 && (count & (count - 1)) == 0, "the size of a tile is a power of two");
};
__aicore__ thread_block this_thread_block();
template <unsigned count> __aicore__ thread_block this_thread_block(block_tile_memory<count> &scratch);
__aicore__ coalesced_group coalesced_threads();
__aicore__ thread_group tiled_partition(const thread_group &parent, unsigned count);
__aicore__ coalesced_group tiled_partition(const coalesced_group &parent, unsigned count);
template <unsigned count, typename Parent> __aicore__ thread_block_tile<count, Parent> tiled_partition(const Parent &parent);
__aicore__ coalesced_group binary_partition(const coalesced_group &group, bool predicate);
template <unsigned count, typename Parent> __aicore__ coalesced_group binary_partition(const thread_block_tile<count, Parent> &group, bool predicate);
}
#endif
