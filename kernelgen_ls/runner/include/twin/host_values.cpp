// Names, element types, shapes and attributes.

namespace {
struct NamedType {
    ge::DataType type;
    const char *name;
    int bits;
};
#define KERNELGEN_TYPE(name, bits) {ge::name, #name, bits}
constexpr NamedType namedTypes[] = {
    KERNELGEN_TYPE(DT_FLOAT, 32), KERNELGEN_TYPE(DT_FLOAT16, 16), KERNELGEN_TYPE(DT_INT8, 8), KERNELGEN_TYPE(DT_INT32, 32),
    KERNELGEN_TYPE(DT_UINT8, 8), KERNELGEN_TYPE(DT_INT16, 16), KERNELGEN_TYPE(DT_UINT16, 16), KERNELGEN_TYPE(DT_UINT32, 32),
    KERNELGEN_TYPE(DT_INT64, 64), KERNELGEN_TYPE(DT_UINT64, 64), KERNELGEN_TYPE(DT_DOUBLE, 64), KERNELGEN_TYPE(DT_BOOL, 8),
    KERNELGEN_TYPE(DT_COMPLEX32, 32), KERNELGEN_TYPE(DT_COMPLEX64, 64), KERNELGEN_TYPE(DT_COMPLEX128, 128), KERNELGEN_TYPE(DT_QINT8, 8),
    KERNELGEN_TYPE(DT_QINT16, 16), KERNELGEN_TYPE(DT_QINT32, 32), KERNELGEN_TYPE(DT_QUINT8, 8), KERNELGEN_TYPE(DT_QUINT16, 16),
    KERNELGEN_TYPE(DT_BF16, 16), KERNELGEN_TYPE(DT_INT4, 4), KERNELGEN_TYPE(DT_UINT1, 1), KERNELGEN_TYPE(DT_INT2, 2),
    KERNELGEN_TYPE(DT_UINT2, 2), KERNELGEN_TYPE(DT_HIFLOAT8, 8), KERNELGEN_TYPE(DT_FLOAT8_E5M2, 8), KERNELGEN_TYPE(DT_FLOAT8_E4M3FN, 8),
    KERNELGEN_TYPE(DT_FLOAT8_E8M0, 8), KERNELGEN_TYPE(DT_FLOAT6_E3M2, 6), KERNELGEN_TYPE(DT_FLOAT6_E2M3, 6), KERNELGEN_TYPE(DT_FLOAT4_E2M1, 4),
    KERNELGEN_TYPE(DT_FLOAT4_E1M2, 4), KERNELGEN_TYPE(DT_STRING, 0), KERNELGEN_TYPE(DT_UNDEFINED, 0),
};
struct NamedFormat {
    ge::Format format;
    const char *name;
};
#define KERNELGEN_FORMAT(name) {ge::FORMAT_##name, #name}
constexpr NamedFormat namedFormats[] = {
    KERNELGEN_FORMAT(NCHW), KERNELGEN_FORMAT(NHWC), KERNELGEN_FORMAT(ND), KERNELGEN_FORMAT(NC1HWC0), KERNELGEN_FORMAT(FRACTAL_Z),
    KERNELGEN_FORMAT(NHWC1C0), KERNELGEN_FORMAT(C1HWNC0), KERNELGEN_FORMAT(HWCN), KERNELGEN_FORMAT(CHWN), KERNELGEN_FORMAT(NDHWC),
    KERNELGEN_FORMAT(FRACTAL_NZ), KERNELGEN_FORMAT(NCDHW), KERNELGEN_FORMAT(DHWCN), KERNELGEN_FORMAT(NDC1HWC0),
    KERNELGEN_FORMAT(FRACTAL_Z_3D), KERNELGEN_FORMAT(CN), KERNELGEN_FORMAT(NC), KERNELGEN_FORMAT(NCL), KERNELGEN_FORMAT(FRACTAL_NZ_C0_16),
};
const NamedType *namedType(ge::DataType type) {
    for (const NamedType &one : namedTypes) {
        if (one.type == type) {
            return &one;
        }
    }
    return nullptr;
}
/// What GetSizeByDataType adds to the number of bits where a type is smaller than a byte.
constexpr int subByte = 1000;
}

namespace ge {
AscendString::AscendString() = default;
AscendString::AscendString(const char *name) : kernelgenText(name == nullptr ? "" : name) {}
const char *AscendString::GetString() const { return kernelgenText.c_str(); }
size_t AscendString::GetLength() const { return kernelgenText.size(); }
bool AscendString::operator<(const AscendString &other) const { return kernelgenText < other.kernelgenText; }
bool AscendString::operator==(const AscendString &other) const { return kernelgenText == other.kernelgenText; }

Shape::Shape() = default;
Shape::Shape(const std::vector<int64_t> &dims) : kernelgenDims(dims) {}
size_t Shape::GetDimNum() const { return kernelgenDims.size(); }
int64_t Shape::GetDim(size_t idx) const { return idx < kernelgenDims.size() ? kernelgenDims[idx] : 0; }
graphStatus Shape::SetDim(size_t idx, int64_t value) {
    if (idx >= kernelgenDims.size()) {
        return GRAPH_FAILED;
    }
    kernelgenDims[idx] = value;
    return GRAPH_SUCCESS;
}
std::vector<int64_t> Shape::GetDims() const { return kernelgenDims; }
int64_t Shape::GetShapeSize() const {
    return kernelgenDims.empty() ? 0 : std::accumulate(kernelgenDims.begin(), kernelgenDims.end(), int64_t{1}, std::multiplies<int64_t>());
}

TensorDesc::TensorDesc() = default;
Shape TensorDesc::GetShape() const { return kernelgenShape; }
DataType TensorDesc::GetDataType() const { return kernelgenType; }
Format TensorDesc::GetFormat() const { return kernelgenFormat; }
void TensorDesc::SetShape(const Shape &shape) { kernelgenShape = shape; }
void TensorDesc::SetDataType(DataType dt) { kernelgenType = dt; }
void TensorDesc::SetFormat(Format format) { kernelgenFormat = format; }
Shape TensorDesc::GetOriginShape() const { return kernelgenShape; }
Format TensorDesc::GetOriginFormat() const { return kernelgenFormat; }

int GetSizeByDataType(DataType type) {
    const NamedType *found = namedType(type);
    if (found == nullptr || found->bits == 0) {
        return -1;
    }
    return found->bits < 8 ? subByte + found->bits : found->bits / 8;
}
int64_t GetSizeInBytes(int64_t elements, DataType type) {
    const NamedType *found = namedType(type);
    return found == nullptr || elements < 0 ? -1 : (elements * found->bits + 7) / 8;
}
int32_t GetPrimaryFormat(int32_t format) { return format & 0xff; }

std::string TypeUtils::DataTypeToSerialString(DataType type) {
    const NamedType *found = namedType(type);
    return found == nullptr ? "UNDEFINED" : found->name;
}
std::string TypeUtils::FormatToSerialString(Format format) {
    for (const NamedFormat &one : namedFormats) {
        if (one.format == GetPrimaryFormat(format)) {
            return one.name;
        }
    }
    return "RESERVED";
}
AscendString TypeUtils::DataTypeToAscendString(const DataType &type) { return AscendString(DataTypeToSerialString(type).c_str()); }
AscendString TypeUtils::FormatToAscendString(const Format &format) { return AscendString(FormatToSerialString(format).c_str()); }
DataType TypeUtils::SerialStringToDataType(const std::string &text) {
    for (const NamedType &one : namedTypes) {
        if (text == one.name) {
            return one.type;
        }
    }
    return DT_UNDEFINED;
}
bool TypeUtils::GetDataTypeLength(DataType type, uint32_t &length) {
    const NamedType *found = namedType(type);
    if (found == nullptr || found->bits < 8) {
        return false;
    }
    length = static_cast<uint32_t>(found->bits / 8);
    return true;
}
}

namespace gert {
Shape::Shape() = default;
Shape::Shape(const std::initializer_list<int64_t> &dims) {
    for (int64_t dim : dims) {
        AppendDim(dim);
    }
}
size_t Shape::GetDimNum() const { return kernelgenCount; }
void Shape::SetDimNum(size_t count) { kernelgenCount = std::min(count, kMaxDimNum); }
int64_t Shape::GetDim(size_t index) const { return index < kMaxDimNum ? kernelgenDims[index] : kInvalidDimValue; }
void Shape::SetDim(size_t index, int64_t value) {
    if (index < kMaxDimNum) {
        kernelgenDims[index] = value;
    }
}
Shape &Shape::AppendDim(int64_t value) {
    if (kernelgenCount < kMaxDimNum) {
        kernelgenDims[kernelgenCount++] = value;
    }
    return *this;
}
int64_t Shape::GetShapeSize() const {
    return std::accumulate(kernelgenDims, kernelgenDims + kernelgenCount, int64_t{1}, std::multiplies<int64_t>());
}
bool Shape::IsScalar() const { return kernelgenCount == 0; }
void Shape::SetScalar() { kernelgenCount = 0; }
bool Shape::IsUnknownShape() const {
    return std::any_of(kernelgenDims, kernelgenDims + kernelgenCount, [](int64_t dim) { return dim < 0; });
}
const int64_t &Shape::operator[](size_t index) const { return kernelgenDims[index]; }
int64_t &Shape::operator[](size_t index) { return kernelgenDims[index]; }
bool Shape::operator==(const Shape &other) const {
    return kernelgenCount == other.kernelgenCount && std::equal(kernelgenDims, kernelgenDims + kernelgenCount, other.kernelgenDims);
}
bool Shape::operator!=(const Shape &other) const { return !(*this == other); }

StorageShape::StorageShape() = default;
StorageShape::StorageShape(const std::initializer_list<int64_t> &origin, const std::initializer_list<int64_t> &storage)
    : kernelgenOrigin(origin), kernelgenStorage(storage) {}
const Shape &StorageShape::GetOriginShape() const { return kernelgenOrigin; }
const Shape &StorageShape::GetStorageShape() const { return kernelgenStorage; }
Shape &StorageShape::MutableOriginShape() { return kernelgenOrigin; }
Shape &StorageShape::MutableStorageShape() { return kernelgenStorage; }
bool StorageShape::operator==(const StorageShape &other) const {
    return kernelgenOrigin == other.kernelgenOrigin && kernelgenStorage == other.kernelgenStorage;
}
bool StorageShape::operator!=(const StorageShape &other) const { return !(*this == other); }

ge::Format StorageFormat::GetOriginFormat() const { return kernelgenOrigin; }
ge::Format StorageFormat::GetStorageFormat() const { return kernelgenStorage; }

int64_t Tensor::GetShapeSize() const { return kernelgenShape.GetStorageShape().GetShapeSize(); }
const Shape &Tensor::GetOriginShape() const { return kernelgenShape.GetOriginShape(); }
const Shape &Tensor::GetStorageShape() const { return kernelgenShape.GetStorageShape(); }
const StorageShape &Tensor::GetShape() const { return kernelgenShape; }
ge::DataType Tensor::GetDataType() const { return kernelgenType; }
ge::Format Tensor::GetStorageFormat() const { return kernelgenFormat.GetStorageFormat(); }
ge::Format Tensor::GetOriginFormat() const { return kernelgenFormat.GetOriginFormat(); }
size_t Tensor::GetSize() const { return kernelgenBytes; }
const void *Tensor::GetAddr() const { return kernelgenData; }
Tensor::operator const StorageShape &() const { return kernelgenShape; }

ge::DataType CompileTimeTensorDesc::GetDataType() const { return kernelgenType; }
ge::Format CompileTimeTensorDesc::GetStorageFormat() const { return kernelgenFormat.GetStorageFormat(); }
ge::Format CompileTimeTensorDesc::GetOriginFormat() const { return kernelgenFormat.GetOriginFormat(); }
const StorageFormat &CompileTimeTensorDesc::GetFormat() const { return kernelgenFormat; }
void CompileTimeTensorDesc::SetDataType(ge::DataType type) { kernelgenType = type; }

size_t ContinuousVectorVector::GetSize() const { return kernelgenRows.size(); }
const ContinuousVector *ContinuousVectorVector::Get(size_t index) const {
    return index < kernelgenRows.size() ? &kernelgenRows[index] : nullptr;
}

const int64_t *RuntimeAttrs::GetInt(size_t index) const { return GetAttrPointer<int64_t>(index); }
const float *RuntimeAttrs::GetFloat(size_t index) const { return GetAttrPointer<float>(index); }
const bool *RuntimeAttrs::GetBool(size_t index) const { return GetAttrPointer<bool>(index); }
const char *RuntimeAttrs::GetStr(size_t index) const { return GetAttrPointer<char>(index); }
const TypedContinuousVector<int64_t> *RuntimeAttrs::GetListInt(size_t index) const {
    return GetAttrPointer<TypedContinuousVector<int64_t>>(index);
}
const TypedContinuousVector<float> *RuntimeAttrs::GetListFloat(size_t index) const {
    return GetAttrPointer<TypedContinuousVector<float>>(index);
}
const ContinuousVectorVector *RuntimeAttrs::GetListListInt(size_t index) const {
    return GetAttrPointer<ContinuousVectorVector>(index);
}
size_t RuntimeAttrs::GetAttrNum() const { return kernelgenAttributes->size(); }
}

namespace kernelgen {
void Attribute::setInteger(int64_t value) {
    integer = value;
    address = &integer;
}
void Attribute::setReal(float value) {
    real = value;
    address = &real;
}
void Attribute::setFlag(bool value) {
    flag = value;
    address = &flag;
}
void Attribute::setText(const std::string &value) {
    text = value;
    address = text.c_str();
}
void Attribute::setIntegers(const std::vector<int64_t> &values) {
    integers = values;
    integerList.kernelgenData = integers.data();
    integerList.kernelgenCount = integers.size();
    address = &integerList;
}
void Attribute::setReals(const std::vector<float> &values) {
    reals = values;
    realList.kernelgenData = reals.data();
    realList.kernelgenCount = reals.size();
    address = &realList;
}
void Attribute::setFlags(const std::vector<bool> &values) {
    flags = std::shared_ptr<bool[]>(new bool[values.size() + 1]);
    std::copy(values.begin(), values.end(), flags.get());
    flagList.kernelgenData = flags.get();
    flagList.kernelgenCount = values.size();
    address = &flagList;
}
void Attribute::setRows(const std::vector<std::vector<int64_t>> &values) {
    rows = values;
    rowList.kernelgenRows.resize(rows.size());
    for (size_t row = 0; row < rows.size(); ++row) {
        rowList.kernelgenRows[row].kernelgenData = rows[row].data();
        rowList.kernelgenRows[row].kernelgenCount = rows[row].size();
    }
    address = &rowList;
}
}
