// Tiling data as the host fills it: classes with set_ and get_ for every field.
#pragma once
#ifndef KERNELGEN_TWIN // a file of both halves is executed without the host's
#include "../host/op_impl.h"
#ifdef KERNELGEN_EXECUTE
#include "../twin/host_tiling_data.h"
#endif
namespace optiling {
struct FieldInfo {
    const char *dtype_;
    const char *name_;
};
/// What every tiling class offers beside its fields.
class TilingDef {
public:
    KERNELGEN_HOST_STATE(::kernelgen::TilingLayout kernelgenLayout; size_t kernelgenNest(const TilingDef &field))
    virtual ~TilingDef();
    /// Writes the fields to the tiling data's bytes.
    void SaveToBuffer(void *data, size_t capacity);
    std::vector<FieldInfo> GetFieldInfo() const;
    const char *GetTilingClassName() const;
    /// The length of the tiling data in bytes.
    size_t GetDataSize() const;
    void SetDataPtr(void *data);
    void InitData();
    void GeLogError(const std::string &message) const;
};
class CTilingDataClassFactory {};
}
/// Begins a tiling class.
#define BEGIN_TILING_DATA_DEF(className)                                                                               \
    class className : public ::optiling::TilingDef {                                                                   \
    public:                                                                                                            \
        using KernelgenSelf = className;                                                                               \
        className() = default;                                                                                         \
        explicit className(void *data) KERNELGEN_HOST_BODY(this->SetDataPtr(data);)
/// A field.
#define TILING_DATA_FIELD_DEF(dataType, fieldName)                                                                     \
    KERNELGEN_HOST_STATE(size_t kernelgenAt_##fieldName = this->kernelgenLayout.field<dataType>())                     \
    void set_##fieldName(dataType value) KERNELGEN_HOST_BODY(                                                          \
        *this->kernelgenLayout.template at<dataType>(kernelgenAt_##fieldName) = value;)                                \
    dataType get_##fieldName() const KERNELGEN_HOST_BODY(                                                              \
        return *this->kernelgenLayout.template at<dataType>(kernelgenAt_##fieldName);)                                 \
    using KernelgenField_##fieldName = dataType;
/// An array field.
#define TILING_DATA_FIELD_DEF_ARR(dataType, arrayLength, fieldName)                                                    \
    KERNELGEN_HOST_STATE(size_t kernelgenAt_##fieldName = this->kernelgenLayout.field<dataType>(arrayLength))          \
    void set_##fieldName(const dataType *values) KERNELGEN_HOST_BODY(                                                  \
        std::copy_n(values, (arrayLength), get_##fieldName());)                                                        \
    dataType *get_##fieldName() KERNELGEN_HOST_BODY(                                                                   \
        return this->kernelgenLayout.template at<dataType>(kernelgenAt_##fieldName);)                                  \
    const dataType *get_##fieldName() const KERNELGEN_HOST_BODY(                                                       \
        return this->kernelgenLayout.template at<dataType>(kernelgenAt_##fieldName);)                                  \
    static_assert((arrayLength) > 0, "a tiling array has at least one element");
/// A field that is a tiling class itself.
#define TILING_DATA_FIELD_DEF_STRUCT(structType, fieldName)                                                            \
    structType fieldName;                                                                                              \
    KERNELGEN_HOST_STATE(size_t kernelgenAt_##fieldName = this->kernelgenNest(fieldName))
/// Ends a tiling class.
#define END_TILING_DATA_DEF                                                                                            \
    }                                                                                                                  \
    ;
/// Says which tiling class an operator uses.
#define REGISTER_TILING_DATA_CLASS(opType, className)                                                                  \
    inline const char *KernelgenTilingClass_##opType() { return sizeof(className) ? #className : ""; }
#define TILING_DATA_FIELD_DEF_PTR(dataType, fieldName)
#endif
