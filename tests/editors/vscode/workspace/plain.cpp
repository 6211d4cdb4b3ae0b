#include <vector>

int main() {
    std::vector<int> values{1, 2, 3};
    return static_cast<int>(values.size());
}
