// Softmax on the host: its sizes, and how much temporary memory it needs.

namespace AscendC {
void SoftMaxTilingFunc(const ge::Shape &shape, uint32_t typeSize, uint32_t, optiling::SoftMaxTiling &tiling) { kernelgen::softmaxSizes(shape, typeSize, tiling); }
void SoftMaxFlashTilingFunc(const ge::Shape &shape, uint32_t typeSize, uint32_t, optiling::SoftMaxTiling &tiling, bool) { kernelgen::softmaxSizes(shape, typeSize, tiling); }
void SoftMaxFlashV2TilingFunc(const ge::Shape &shape, uint32_t typeSize, uint32_t, uint32_t, optiling::SoftMaxTiling &tiling, bool, bool, bool) { kernelgen::softmaxSizes(shape, typeSize, tiling); }
void SoftMaxGradTilingFunc(const ge::Shape &shape, uint32_t typeSize, uint32_t, optiling::SoftMaxTiling &tiling, bool) { kernelgen::softmaxSizes(shape, typeSize, tiling); }
void LogSoftMaxTilingFunc(const ge::Shape &shape, uint32_t typeSize, uint32_t, optiling::LogSoftMaxTiling &tiling) { kernelgen::softmaxSizes(shape, typeSize, tiling); }
uint32_t GetSoftMaxMinTmpSize(const ge::Shape &, uint32_t, bool) { return kernelgen::temporaryBytes; }
uint32_t GetSoftMaxMaxTmpSize(const ge::Shape &, uint32_t, bool) { return kernelgen::temporaryBytes; }
uint32_t GetSoftMaxFlashMinTmpSize(const ge::Shape &, uint32_t, bool) { return kernelgen::temporaryBytes; }
uint32_t GetSoftMaxFlashMaxTmpSize(const ge::Shape &, uint32_t, bool) { return kernelgen::temporaryBytes; }
uint32_t GetSoftMaxGradMinTmpSize(const ge::Shape &, uint32_t, bool, bool) { return kernelgen::temporaryBytes; }
uint32_t GetSoftMaxGradMaxTmpSize(const ge::Shape &, uint32_t, bool, bool) { return kernelgen::temporaryBytes; }
uint32_t GetLogSoftMaxMinTmpSize(const ge::Shape &, uint32_t, bool) { return kernelgen::temporaryBytes; }
uint32_t GetLogSoftMaxMaxTmpSize(const ge::Shape &, uint32_t, bool) { return kernelgen::temporaryBytes; }
uint32_t GetSoftMaxFlashV2MinTmpSize(const ge::Shape &, uint32_t, uint32_t, bool, bool, bool) { return kernelgen::temporaryBytes; }
uint32_t GetSoftMaxFlashV2MaxTmpSize(const ge::Shape &, uint32_t, uint32_t, bool, bool, bool) { return kernelgen::temporaryBytes; }
bool IsBasicBlockInSoftMax(optiling::SoftMaxTiling &tiling, uint32_t typeSize) {
    // Documented: the rows are a multiple of 8, the columns one of 64, 256 bytes or more and below 2048.
    const uint32_t columns = tiling.get_srcK();
    return tiling.get_srcM() % 8 == 0 && columns % 64 == 0 && columns < 2048 && columns * typeSize >= 256;
}
}
