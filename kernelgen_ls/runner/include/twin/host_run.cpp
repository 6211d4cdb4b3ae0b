// The program: reads what is asked of one operator from the file that its first argument names, runs its tiling function
// once a case, and writes what that left to the file that the second names. Both are words between spaces, a record a
// line; texts and bytes are hexadecimal digits, "-" where there are none. host_tiling.py writes the one and reads the other.
#include <cxxabi.h>
#include <fstream>
#include <unistd.h>

namespace kernelgen {
namespace {
/// Thrown by what stands in the place of a function that the twin lacks.
struct Lacking {
    std::string symbol;
};
/// Whether main runs already: static objects may call what is lacking before it does.
bool running = false;
constexpr const char *answersBeforeMain = "answers.txt";
/// The values of the template parameters that each key stands for.
std::map<uint64_t, std::vector<uint64_t>> templateValues;
constexpr const char *endOfCase = "\n\x1e\n";
constexpr size_t smallestCapacity = 64 * 1024;

std::string hex(const void *data, size_t bytes) {
    static constexpr char digits[] = "0123456789abcdef";
    std::string text;
    for (size_t i = 0; i < bytes; ++i) {
        const uint8_t byte = static_cast<const uint8_t *>(data)[i];
        text += digits[byte >> 4];
        text += digits[byte & 15];
    }
    return text.empty() ? "-" : text;
}
std::string hex(const std::string &text) { return hex(text.data(), text.size()); }
std::string unhex(const std::string &digits) {
    std::string text;
    for (size_t i = 0; i + 1 < digits.size(); i += 2) {
        text += static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16));
    }
    return text;
}

template <typename T> T word(std::istream &in) {
    T value{};
    in >> value;
    return value;
}
std::string text(std::istream &in) { return unhex(word<std::string>(in)); }
template <typename T> std::vector<T> words(std::istream &in) {
    std::vector<T> values(word<size_t>(in));
    for (size_t i = 0; i < values.size(); ++i) {
        values[i] = word<T>(in);
    }
    return values;
}

ge::Format formatNamed(const std::string &name) {
    for (const NamedFormat &one : namedFormats) {
        if (name == one.name) {
            return one.format;
        }
    }
    return ge::FORMAT_ND;
}

Instance readInstance(std::istream &in, bool withData) {
    Instance one;
    const ge::DataType type = ge::TypeUtils::SerialStringToDataType(word<std::string>(in));
    const ge::Format format = formatNamed(word<std::string>(in));
    const std::string file = text(in);
    const int64_t dims = word<int64_t>(in);
    one.unshaped = dims < 0;
    for (int64_t i = 0; i < dims; ++i) {
        const int64_t dim = word<int64_t>(in);
        one.tensor.kernelgenShape.MutableOriginShape().AppendDim(dim);
    }
    one.tensor.kernelgenShape.MutableStorageShape() = one.tensor.kernelgenShape.GetOriginShape();
    one.tensor.kernelgenType = one.desc.kernelgenType = type;
    one.tensor.kernelgenFormat.kernelgenOrigin = one.tensor.kernelgenFormat.kernelgenStorage = format;
    one.desc.kernelgenFormat = one.tensor.kernelgenFormat;
    one.tensor.kernelgenBytes = static_cast<size_t>(std::max<int64_t>(0, ge::GetSizeInBytes(one.tensor.GetShapeSize(), type)));
    if (withData && !file.empty()) {
        std::ifstream data(file, std::ios::binary);
        one.data.resize(one.tensor.kernelgenBytes / sizeof(uint64_t) + 1);
        data.read(reinterpret_cast<char *>(one.data.data()), static_cast<std::streamsize>(one.tensor.kernelgenBytes));
        one.tensor.kernelgenData = one.data.data();
    }
    return one;
}

/// Whether the framework hands the values of an input to the tiling function: where the operator asks for them. An
/// operator of which nothing is known may need those of any.
bool asksForValues(const Registration &entry, const std::string &name, size_t operand) {
    if (entry.valueInputs.count(static_cast<int32_t>(operand)) > 0) {
        return true;
    }
    if (entry.definition == nullptr) {
        return entry.valueInputs.empty();
    }
    for (const ops::OpParamDef &one : entry.definition->kernelgenInputs) {
        if (one.kernelgenName == name) {
            return one.kernelgenValue;
        }
    }
    return true;
}

void readOperand(std::istream &in, const Registration &entry, std::vector<Instance> &all, std::vector<gert::AnchorInstanceInfo> &anchors, bool isInput) {
    const std::string name = text(in);
    gert::AnchorInstanceInfo anchor;
    anchor.kernelgenStart = all.size();
    anchor.kernelgenCount = word<size_t>(in);
    for (size_t i = 0; i < anchor.kernelgenCount; ++i) {
        all.push_back(readInstance(in, isInput && asksForValues(entry, name, anchors.size())));
    }
    anchors.push_back(anchor);
}

void readValue(std::istream &in, const std::string &kind, Attribute &attribute) {
    if (kind == "Int") {
        attribute.setInteger(word<int64_t>(in));
    } else if (kind == "Float") {
        attribute.setReal(word<float>(in));
    } else if (kind == "Bool") {
        attribute.setFlag(word<int>(in) != 0);
    } else if (kind == "String") {
        attribute.setText(text(in));
    } else if (kind == "ListInt") {
        attribute.setIntegers(words<int64_t>(in));
    } else if (kind == "ListFloat") {
        attribute.setReals(words<float>(in));
    } else if (kind == "ListBool") {
        const std::vector<int> values = words<int>(in);
        attribute.setFlags(std::vector<bool>(values.begin(), values.end()));
    } else if (kind == "ListListInt") {
        std::vector<std::vector<int64_t>> rows(word<size_t>(in));
        for (std::vector<int64_t> &row : rows) {
            row = words<int64_t>(in);
        }
        attribute.setRows(rows);
    }
}

void readAttribute(std::istream &in, const Registration &entry, Attribute &attribute) {
    attribute.name = text(in);
    const std::string kind = word<std::string>(in);
    const bool given = word<int>(in) != 0;
    if (given) {
        readValue(in, kind, attribute);
    }
    // The operator's own definition knows its defaults; what the request says of them was read from its text.
    if (word<int>(in) == 0 && entry.definition != nullptr) {
        for (const ops::OpAttrDef &one : entry.definition->kernelgenAttributes) {
            if (one.kernelgenName == attribute.name && one.kernelgenDefault->address != nullptr) {
                attribute.address = one.kernelgenDefault->address;
            }
        }
    }
}

void readChip(std::istream &in) {
    Chip &read = chip();
    in >> read.soc >> read.family >> read.architecture >> read.cubeCores >> read.vectorCores >> read.ub >> read.l1 >> read.l0a >> read.l0c >> read.l2 >> read.hbm;
}

/// What is registered under the operator's name; what alone has a tiling function where nothing is.
Registration *find(const std::string &type) {
    std::map<std::string, Registration> &all = registrations();
    const auto named = all.find(type);
    if (named != all.end() && named->second.tiling != nullptr) {
        return &named->second;
    }
    Registration *only = nullptr;
    for (auto &[name, entry] : all) {
        if (entry.tiling != nullptr) {
            if (only != nullptr) {
                return nullptr;
            }
            only = &entry;
        }
    }
    return only;
}

void readNode(std::istream &in, const Registration &entry, Node &node) {
    const size_t inputs = word<size_t>(in);
    for (size_t i = 0; i < inputs; ++i) {
        readOperand(in, entry, node.inputs, node.inputAnchors, true);
    }
    const size_t outputs = word<size_t>(in);
    for (size_t i = 0; i < outputs; ++i) {
        readOperand(in, entry, node.outputs, node.outputAnchors, false);
    }
    node.attributes.resize(word<size_t>(in));
    for (Attribute &attribute : node.attributes) {
        readAttribute(in, entry, attribute);
    }
    node.attributeView.kernelgenAttributes = &node.attributes;
    node.info.kernelgenNode = &node;
    node.platform.kernelgenChip = &chip();
    node.tiling.kernelgenCapacity = std::max(smallestCapacity, entry.maxTilingSize);
    node.tiling.kernelgenWords.resize(node.tiling.kernelgenCapacity / sizeof(uint64_t) + 1);
}

/// Gives the outputs of which only the operator knows the shape the one that it infers.
bool inferred(const Registration &entry, Node &node) {
    if (entry.infer == nullptr) {
        return false;
    }
    for (const Instance &one : node.outputs) {
        node.inferred.push_back(one.tensor.kernelgenShape.GetOriginShape());
    }
    gert::InferShapeContext context;
    context.kernelgenNode = &node;
    try {
        if (entry.infer(&context) != ge::GRAPH_SUCCESS) {
            return false;
        }
    } catch (const Lacking &) {
        return false;
    }
    for (size_t i = 0; i < node.outputs.size(); ++i) {
        if (node.outputs[i].unshaped) {
            node.outputs[i].tensor.kernelgenShape.MutableOriginShape() = node.inferred[i];
            node.outputs[i].tensor.kernelgenShape.MutableStorageShape() = node.inferred[i];
        }
    }
    return true;
}

/// Leaves out the outputs of which nobody knows the shape.
void leaveOutUnshaped(Node &node) {
    std::vector<Instance> kept;
    for (gert::AnchorInstanceInfo &anchor : node.outputAnchors) {
        const size_t start = anchor.kernelgenStart, count = anchor.kernelgenCount;
        anchor.kernelgenStart = kept.size();
        for (size_t i = start; i < start + count; ++i) {
            if (!node.outputs[i].unshaped) {
                kept.push_back(std::move(node.outputs[i]));
            }
        }
        anchor.kernelgenCount = kept.size() - anchor.kernelgenStart;
    }
    node.outputs = std::move(kept);
}

std::string answer(const Registration &entry, Node &node) {
    const bool unshaped = std::any_of(node.outputs.begin(), node.outputs.end(), [](const Instance &one) { return one.unshaped; });
    if (unshaped && !inferred(entry, node)) {
        leaveOutUnshaped(node);
    }
    if (entry.newCompileInfo != nullptr) {
        node.compileInfo = entry.newCompileInfo();
    }
    lastError.clear();
    if (entry.parse != nullptr) {
        gert::TilingParseContext context;
        context.kernelgenNode = &node;
        if (entry.parse(&context) != ge::GRAPH_SUCCESS) {
            return "failed " + hex(lastError);
        }
    }
    gert::TilingContext context;
    context.kernelgenNode = &node;
    if (entry.tiling(&context) != ge::GRAPH_SUCCESS) {
        return "failed " + hex(lastError);
    }
    const size_t bytes = node.tiling.GetDataSize();
    if (bytes > node.tiling.GetCapacity()) {
        return "failed " + hex("it sets a length of " + std::to_string(bytes) + " bytes for its tiling data");
    }
    std::ostringstream line;
    line << "tiling " << hex(node.tiling.GetData(), bytes) << ' ' << node.tilingKey << ' ' << node.blocks << ' ' << node.scheduleMode << ' ' << node.workspaces.size();
    for (size_t size : node.workspaces) {
        line << ' ' << size;
    }
    const std::vector<uint64_t> &values = templateValues[node.tilingKey];
    line << ' ' << values.size();
    for (uint64_t value : values) {
        line << ' ' << value;
    }
    return line.str();
}

std::string guarded(const Registration &entry, Node &node) {
    try {
        return answer(entry, node);
    } catch (const Lacking &lacking) {
        return "lacks " + hex(lacking.symbol);
    } catch (const std::exception &problem) {
        return "failed " + hex(std::string("it throws: ") + problem.what());
    } catch (...) {
        return "failed " + hex("it throws");
    }
}
}

uint64_t templateKey(std::initializer_list<uint64_t> values) {
    // FNV-1a: any number that differs where the values do will do, both sides look it up.
    uint64_t key = 14695981039346656037u;
    for (uint64_t value : values) {
        key = (key ^ value) * 1099511628211u;
    }
    templateValues[key] = values;
    return key;
}

/// Stands in the place of `symbol`, which an operator calls and nothing defines.
[[noreturn]] void lacks(const char *symbol) {
    char *readable = abi::__cxa_demangle(symbol, nullptr, nullptr, nullptr);
    const std::string name = readable == nullptr ? symbol : readable;
    if (running) {
        throw Lacking{name};
    }
    std::ofstream(answersBeforeMain) << "lacks " << hex(name) << std::endl;
    _exit(0);
}
}

int main(int, char **arguments) {
    using namespace kernelgen;
    std::ifstream in(arguments[1]);
    std::ofstream answers(arguments[2]);
    running = true;
    readChip(in);
    const std::string type = text(in);
    const Registration *entry = find(type);
    if (entry == nullptr) {
        answers << "unregistered" << std::endl;
        _exit(0);
    }
    const size_t cases = word<size_t>(in);
    for (size_t i = 0; i < cases; ++i) {
        Node node;
        node.type = type;
        readNode(in, *entry, node);
        answers << guarded(*entry, node) << std::endl;
        // What the operator prints is told apart by case: many log with printf.
        std::cout << std::flush;
        std::fputs(endOfCase, stdout);
        std::fflush(stdout);
    }
    // The operator's static objects are not torn down: nothing of theirs is wanted any more.
    _exit(0);
}
