// Loads of vector registers, in the C interface.
#ifndef KERNELGEN_C_API_REG_LOAD_H
#define KERNELGEN_C_API_REG_LOAD_H

#include "c_api/utils/call.h"

ASC_CALL(asc_get_mask_spr_b16, vector_bool, Takes<>)
ASC_CALL(asc_get_mask_spr_b32, vector_bool, Takes<>)
/// Loads a register from an aligned UB address.
ASC_CALL(asc_loadalign, void, Takes<mask, address>, Takes<reg, address>, Takes<mask, address, addr>, Takes<mask, address, number>, Takes<reg, address, addr>, Takes<reg, address, number>, Takes<reg, address, number, number, mask>)
ASC_CALL(asc_loadalign_brc, void, Takes<reg, address>, Takes<reg, address, addr>, Takes<reg, address, number>)
ASC_CALL(asc_loadalign_upsample, void, Takes<mask, address>, Takes<reg, address>, Takes<mask, address, addr>, Takes<mask, address, number>, Takes<reg, address, addr>, Takes<reg, address, number>)
ASC_CALL(asc_loadalign_downsample, void, Takes<mask, address>, Takes<reg, address>, Takes<mask, address, addr>, Takes<mask, address, number>, Takes<reg, address, addr>, Takes<reg, address, number>)
ASC_CALL(asc_loadalign_unpack, void, Takes<reg, address>, Takes<reg, address, addr>, Takes<reg, address, number>)
ASC_CALL(asc_loadalign_unpack_v2, void, Takes<reg, address>, Takes<reg, address, addr>, Takes<reg, address, number>)
ASC_CALL(asc_loadalign_brc_v2, void, Takes<reg, address>, Takes<reg, address, addr>, Takes<reg, address, number>)
ASC_CALL(asc_loadalign_brc_v3, void, Takes<reg, address>, Takes<reg, address, addr>, Takes<reg, address, number>)
ASC_CALL(asc_loadalign_deintlv, void, Takes<reg, reg, address>, Takes<reg, reg, address, addr>, Takes<reg, reg, address, number>)
ASC_CALL(asc_loadalign_postupdate, void, Takes<mask, address>, Takes<mask, address, number>, Takes<reg, address, number>, Takes<reg, address, number, number, mask>)
ASC_CALL(asc_loadalign_brc_postupdate, void, Takes<reg, address, number>)
ASC_CALL(asc_loadalign_upsample_postupdate, void, Takes<mask, address, number>, Takes<reg, address, number>)
ASC_CALL(asc_loadalign_downsample_postupdate, void, Takes<mask, address, number>, Takes<reg, address, number>)
ASC_CALL(asc_loadalign_unpack_postupdate, void, Takes<reg, address, number>)
ASC_CALL(asc_loadalign_unpack_postupdate_v2, void, Takes<reg, address, number>)
ASC_CALL(asc_loadalign_brc_postupdate_v2, void, Takes<reg, address, number>)
ASC_CALL(asc_loadalign_brc_postupdate_v3, void, Takes<reg, address, number>)
ASC_CALL(asc_loadalign_deintlv_postupdate, void, Takes<reg, reg, address, number>)
ASC_CALL(asc_loadunalign_pre, void, Takes<reg, address>, Takes<reg, address, addr>)
ASC_CALL(asc_loadunalign, void, Takes<reg, reg, address>)
ASC_CALL(asc_loadunalign_postupdate, void, Takes<reg, reg, address, number>, Takes<reg, reg, address, addr, number>)
ASC_CALL(asc_load, void, Takes<reg, address>)
ASC_CALL(asc_scatter, void, Takes<address, reg, reg, mask>, Takes<reg, address, reg, mask>)
ASC_CALL(asc_loadalign_brc_elem, void, Takes<reg, address>, Takes<reg, address, addr>, Takes<reg, address, number>)
ASC_CALL(asc_loadalign_unpack4, void, Takes<reg, address>, Takes<reg, address, addr>, Takes<reg, address, number>)
ASC_CALL(asc_loadalign_brc_datablock, void, Takes<reg, address>, Takes<reg, address, addr>, Takes<reg, address, number>)
ASC_CALL(asc_loadalign_brc_elem2datablock, void, Takes<reg, address>, Takes<reg, address, addr>, Takes<reg, address, number>)
ASC_CALL(asc_loadalign_brc_elem_postupdate, void, Takes<reg, address, number>)
ASC_CALL(asc_loadalign_unpack4_postupdate, void, Takes<reg, address, number>)
ASC_CALL(asc_loadalign_brc_datablock_postupdate, void, Takes<reg, address, number>)
ASC_CALL(asc_loadalign_brc_elem2datablock_postupdate, void, Takes<reg, address, number>)

#endif
