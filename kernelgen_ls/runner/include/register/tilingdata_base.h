// Tiling data as the host fills it: classes with set_ and get_ for every field.
#pragma once
#include "../host/op_impl.h"
namespace optiling {
struct FieldInfo {
    const char *dtype_;
    const char *name_;
};
/// What every tiling class offers beside its fields.
class TilingDef {
public:
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
        explicit className(void *data);
/// A field.
#define TILING_DATA_FIELD_DEF(dataType, fieldName)                                                                     \
    void set_##fieldName(dataType value);                                                                              \
    dataType get_##fieldName() const;                                                                                  \
    using KernelgenField_##fieldName = dataType;
/// An array field.
#define TILING_DATA_FIELD_DEF_ARR(dataType, arrayLength, fieldName)                                                    \
    void set_##fieldName(const dataType *values);                                                                      \
    dataType *get_##fieldName();                                                                                       \
    const dataType *get_##fieldName() const;                                                                           \
    static_assert((arrayLength) > 0, "a tiling array has at least one element");
/// A field that is a tiling class itself.
#define TILING_DATA_FIELD_DEF_STRUCT(structType, fieldName)                                                            \
    structType fieldName;
/// Ends a tiling class.
#define END_TILING_DATA_DEF                                                                                            \
    }                                                                                                                  \
    ;
/// Says which tiling class an operator uses.
#define REGISTER_TILING_DATA_CLASS(opType, className)                                                                  \
    inline const char *KernelgenTilingClass_##opType() { return sizeof(className) ? #className : ""; }
#define TILING_DATA_FIELD_DEF_PTR(dataType, fieldName)
