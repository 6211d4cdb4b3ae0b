// Settings of the C interface, packed into a word.
#pragma once
#include <stdint.h>
union asc_fill_value_config { uint64_t config = 0; struct { uint64_t repeat : 15, reserved1 : 1, blk_num : 15, reserved2 : 1, dst_gap : 15, reserved3 : 17; }; };
union asc_store_atomic_config { uint64_t config = 0; struct { uint64_t atomic_type : 3, atomic_op : 2, reserved1 : 59; }; };
union asc_set_l0c_copy_params_config { uint64_t config = 0; struct { uint64_t nd_num : 16, src_nd_stride : 16, dst_nd_stride : 16; }; };
union asc_load3d_v2_config { uint64_t config = 0; struct { uint64_t rpt_stride : 16, rpt_time : 8, rpt_mode : 1, reserved2 : 39; }; };
union asc_ndim_pad_count_config { uint64_t config = 0; struct { uint8_t loop1_lp_count, loop1_rp_count, loop2_lp_count, loop2_rp_count, loop3_lp_count, loop3_rp_count, loop4_lp_count, loop4_rp_count; }; };
union asc_l13d_fmatrix_config { uint64_t config = 0; struct { uint16_t l1_height, l1_width; uint8_t padding_left_size, padding_right_size, padding_top_size, padding_bottom_size; }; };
constexpr asc_fill_value_config ASC_FILL_VALUE_DEFAULT_CFG{};
constexpr asc_store_atomic_config ASC_STORE_ATOMIC_DEFAULT_CFG{};
constexpr asc_set_l0c_copy_params_config ASC_DEFAULT_SET_L0C_COPY_PARAMS_CFG{};
constexpr asc_load3d_v2_config ASC_DEFAULT_LOAD3D_V2_CONFIG{};
constexpr asc_ndim_pad_count_config ASC_DEFAULT_NDIM_PAD_COUNT_CONFIG{};
constexpr asc_l13d_fmatrix_config ASC_DEFAULT_L13D_FMATRIX_CONFIG{};
