// The bytes behind a tiling class: each field at a multiple of its own size, as the structure that the kernel reads.
#pragma once

namespace kernelgen {
/// Grows field by field while a tiling class is constructed, and may then be bound to memory that holds the fields.
class TilingLayout {
public:
    /// Makes room for a field (of `length` elements) and gives its offset in bytes.
    template <typename T> size_t field(size_t length = 1) { return room(sizeof(T) * length, alignof(T)); }
    size_t room(size_t bytes, size_t alignment) {
        const size_t offset = (size + alignment - 1) / alignment * alignment;
        size = offset + bytes;
        widest = std::max(widest, alignment);
        words.resize((this->bytes() + sizeof(uint64_t) - 1) / sizeof(uint64_t));
        return offset;
    }
    /// The fields' length with what fills the structure up to a multiple of its widest field, in bytes.
    size_t bytes() const { return (size + widest - 1) / widest * widest; }
    size_t alignment() const { return widest; }
    uint8_t *data() const { return bound != nullptr ? bound : reinterpret_cast<uint8_t *>(const_cast<uint64_t *>(words.data())); }
    template <typename T> T *at(size_t offset) const { return reinterpret_cast<T *>(data() + offset); }
    void bind(uint8_t *memory) { bound = memory; }

    /// Tiling classes that are fields: their offset in bytes, and how far the object is from the one that it is part of.
    std::vector<std::pair<size_t, ptrdiff_t>> nested;

private:
    std::vector<uint64_t> words;
    size_t size = 0, widest = 1;
    uint8_t *bound = nullptr;
};
}
