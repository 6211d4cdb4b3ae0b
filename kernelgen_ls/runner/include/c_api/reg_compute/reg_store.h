// Stores of vector registers, in the C interface.
#ifndef KERNELGEN_C_API_REG_STORE_H
#define KERNELGEN_C_API_REG_STORE_H

#include "c_api/utils/call.h"

/// Stores a register to an aligned UB address.
ASC_CALL(asc_storealign, void, Takes<address, mask>, Takes<address, mask, addr>, Takes<address, mask, number>, Takes<address, reg, mask>, Takes<address, reg, addr, mask>, Takes<address, reg, number, mask>, Takes<address, reg, number, number, mask>)
ASC_CALL(asc_storealign_1st, void, Takes<address, reg>, Takes<address, reg, addr>, Takes<address, reg, number>)
ASC_CALL(asc_storealign_pack, void, Takes<address, mask>, Takes<address, mask, addr>, Takes<address, mask, number>, Takes<address, reg, mask>, Takes<address, reg, addr, mask>, Takes<address, reg, number, mask>)
ASC_CALL(asc_storealign_pack_v2, void, Takes<address, reg, mask>, Takes<address, reg, addr, mask>, Takes<address, reg, number, mask>)
ASC_CALL(asc_storealign_intlv, void, Takes<address, reg, reg>, Takes<address, reg, reg, addr>, Takes<address, reg, reg, number>)
ASC_CALL(asc_storealign_postupdate, void, Takes<address, mask, number>, Takes<address, reg, number, mask>, Takes<address, reg, number, number, mask>)
ASC_CALL(asc_storealign_1st_postupdate, void, Takes<address, reg, number>)
ASC_CALL(asc_storealign_pack_postupdate, void, Takes<address, mask, number>, Takes<address, reg, number, mask>)
ASC_CALL(asc_storealign_pack_postupdate_v2, void, Takes<address, reg, number, mask>)
ASC_CALL(asc_storeunalign, void, Takes<address, reg, reg, number>)
ASC_CALL(asc_storeunalign_postupdate, void, Takes<address, reg, mask>, Takes<address, reg, reg>, Takes<address, reg, reg, addr>, Takes<address, reg, reg, number>)
ASC_CALL(asc_storeunalign_post, void, Takes<address, reg>, Takes<address, reg, addr>, Takes<address, reg, number>)
ASC_CALL(asc_storeunalign_post_postupdate, void, Takes<address, reg, number>)
ASC_CALL(asc_store, void, Takes<address, reg>, Takes<address, reg, number>)
ASC_CALL(asc_storealign_pack_quarter, void, Takes<address, reg, mask>, Takes<address, reg, addr, mask>, Takes<address, reg, number, mask>)
ASC_CALL(asc_storealign_pack_quarter_postupdate, void, Takes<address, reg, number, mask>)

#endif
