// Rows of matrices as floats, for the library's functions that work on whole rows.
#ifndef KERNELGEN_TWIN_ROWS_H
#define KERNELGEN_TWIN_ROWS_H

#include "vector.h"

namespace kgtwin {

/// Elements that lie in a row, as floats; `unknown` where one of them was never given a value.
class Row {
public:
    Row() = default;
    Row(const Row &) = delete;
    Row(const Local &tensor, int64_t first, uint64_t count) { read(tensor, first, count); }
    ~Row() { std::free(values_.items); }
    void read(const Local &tensor, int64_t first, uint64_t count);
    /// Writes the first `count` values to a tensor, unknown where this row is.
    void write(const Local &tensor, int64_t first, uint64_t count) const;
    void resize(uint64_t count);
    float &operator[](uint64_t i) { return values_.items[i]; }
    float operator[](uint64_t i) const { return values_.items[i]; }
    uint64_t size() const { return values_.size; }
    double sum(uint64_t count) const;
    bool unknown = false;

private:
    Array<float> values_;
};

/// Writes one number to element `at` of a tensor.
void writeNumber(const Local &tensor, int64_t at, double value, bool unknown);
/// The same to a whole block, row number `row` of a tensor of such.
void fillBlock(const Local &tensor, uint32_t row, double value, bool unknown);

}

#endif
