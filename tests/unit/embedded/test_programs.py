"""Whole programs: host and device code in one file, launches, and the headers that a host program includes."""

from __future__ import annotations

import pytest

from kernelgen_ls.folders import DECLARATIONS
from kernelgen_ls.kernel.findings import Severity
from kernelgen_ls.runner.jobs.messages import CheckRequest, SourceFile
from kernelgen_ls.runner.toolchains.embedded.toolchain import EmbeddedToolchain

NEGATE = """
#include <cstdio>
#include <vector>
#include "acl/acl.h"
#include "kernel_operator.h"
constexpr uint32_t N = 2048;
class Negate {
public:
    __aicore__ inline void Process(GM_ADDR x, AscendC::TPipe *pipe)
    {
        xGm.SetGlobalBuffer((__gm__ float *)x + AscendC::GetBlockIdx() * N, N);
        pipe->InitBuffer(buffer, N * sizeof(float));
        AscendC::LocalTensor<float> a = buffer.Get<float>();
        AscendC::Muls(a, a, -1.0f, N);  @
    }
private:
    AscendC::TBuf<AscendC::TPosition::VECCALC> buffer;
    AscendC::GlobalTensor<float> xGm;
};
__global__ __vector__ void negate(GM_ADDR x)
{
    AscendC::TPipe pipe;
    Negate op;
    op.Process(x, &pipe);
}
static int Run(std::vector<float> &host)
{
    aclrtStream stream = nullptr;
    aclrtCreateStream(&stream);
    uint8_t *dx = nullptr;
    size_t bytes = host.size() * sizeof(float);
    aclrtMalloc((void **)&dx, bytes, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMemcpy(dx, bytes, host.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE);
    negate<<<host.size() / N, nullptr, stream>>>(dx);
    aclrtSynchronizeStream(stream);
    aclrtNobodyKnows(stream, ACL_NOBODY_KNOWS);
    aclrtFree(dx);
    return 0;
}
int main(int argc, char **argv)
{
    aclInit(nullptr);
    std::vector<float> v(8 * N, 1.0f);
    Run(v);
    std::printf("%f %d\\n", v[0], std::nobody_knows(v));
    aclFinalize();
    return 0;
}
"""

FILES = """
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cmath>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>
#include "kernel_operator.h"
extern "C" __global__ __aicore__ void k(GM_ADDR x) {}
static bool Load(const std::string &path, std::vector<char> &out)
{
    struct stat s;
    if (stat(path.c_str(), &s) != 0 || !S_ISREG(s.st_mode)) {
        return false;
    }
    std::ifstream f(path, std::ios::binary);
    f.seekg(0, std::ios::end);
    out.resize(f.tellg());
    f.seekg(0);
    std::filebuf *b = f.rdbuf();
    size_t size = b->pubseekoff(0, std::ios::end, std::ios::in);
    b->sgetn(out.data(), out.size());
    std::ifstream again;
    again.open(path, std::ios::binary);
    return f.good() && size > 0;
}
"""
"""A macro below names the host code here, so that it is checked in full: the device might reach it."""

CALLED = '#define CALL(v) (Load("x.bin", v), Rest(v))\n'

REST = """
static int Rest(std::vector<char> &a)
{
    std::vector<float> v(a.size(), 1.0f);
    float d = std::abs(v[0] - std::max(v[1], v[2]));
    std::copy(a.begin(), a.end(), std::ostream_iterator<char>(std::cout, " "));
    std::cerr << "no input\\n" << d << std::endl;
    int fd = open("y.bin", O_RDWR | O_CREAT | O_TRUNC, S_IRUSR | S_IWRITE);
    size_t written = write(fd, a.data(), a.size());
    (void)close(fd);
    printf("%f %zu\\n", d, written);
    return std::system("true");
}
"""


@pytest.fixture(scope="module")
def toolchain() -> EmbeddedToolchain:
    return EmbeddedToolchain()


def check(toolchain: EmbeddedToolchain, text: str, path: str = "k.asc", chip: str = "Ascend910B1") -> None:
    """Exactly the lines marked ``// expect: TEXT`` have an error, which says TEXT, and nothing else is said at all."""
    result = toolchain.check(CheckRequest(path, (SourceFile(path, text),), chip))
    assert result.outcome.is_verdict, result.message
    wanted = {n: line.split("// expect: ")[1] for n, line in enumerate(text.split("\n")) if "// expect: " in line}
    found = {finding.location.range.start.line: finding for finding in result.findings}
    assert set(found) == set(wanted), result.findings
    assert all(found[n].severity is Severity.ERROR and part in found[n].message for n, part in wanted.items()), found


def test_the_host_half_of_a_program_is_left_alone(toolchain: EmbeddedToolchain):
    check(toolchain, NEGATE.replace("@", ""))


def test_the_device_half_of_a_program_is_checked(toolchain: EmbeddedToolchain):
    check(toolchain, NEGATE.replace("Muls", "Mulls").replace("@", "// expect: did you mean 'Muls'"))


def test_a_forgotten_semicolon_shows_in_the_host_half_too(toolchain: EmbeddedToolchain):
    text = NEGATE.replace("@", "").replace("    return 0;\n", "    return 0  // expect: expected ';'\n", 1)
    check(toolchain, text)


def test_files_and_streams_of_a_program_are_known(toolchain: EmbeddedToolchain):
    check(toolchain, FILES + REST + CALLED)


def test_a_function_below_a_kernel_may_launch_it_and_wait(toolchain: EmbeddedToolchain):
    text = """#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void k(GM_ADDR x) {}
#ifndef __CCE_KT_TEST__
void k_do(uint32_t blockDim, void *l2ctrl, void *stream, uint8_t *x)
{
    k<<<blockDim, l2ctrl, stream>>>(x);
    aclrtSynchronizeStream(stream);
}
#endif
"""
    check(toolchain, text, "k.cpp")


def test_mathematics_and_printing_of_c_are_known_on_the_device(toolchain: EmbeddedToolchain):
    text = """#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void k(GM_ADDR x, float v, int32_t i)
{
    bool bad = isnan(v) || isinf(v);
    int32_t a = abs(i);
    float e = expf(v);
    assert(a >= 0);
    printf("%d %f %d\\n", a, e, bad);
}
"""
    check(toolchain, text, "k.cpp")


@pytest.mark.parametrize("name", ["floor", "exp", "abs", "div", "pow", "sqrt", "time", "remove", "index", "clock"])
def test_an_entry_function_may_have_the_name_of_a_function_of_c(toolchain: EmbeddedToolchain, name: str):
    text = f"""#include "kernel_operator.h"
#include <string.h>
extern "C" __global__ __aicore__ void {name}(GM_ADDR x, GM_ADDR y) {{ float a = floorf(expf(2.0f)); }}
"""
    check(toolchain, text, "k.cpp", chip="Ascend950")


def test_qualifiers_need_no_header(toolchain: EmbeddedToolchain):
    text = """#include <cstdint>
__global__ __mix__(1, 2) void both(__gm__ uint8_t *x) {}
__global__ __vector__ void add(__gm__ float *x, __gm__ half *y) { __ubuf__ float local[8]; local[block_idx % 8] = 0; }
__aicore__ inline int Wrong() { return missing; }  // expect: undeclared identifier 'missing'
"""
    check(toolchain, text)


def test_a_function_of_simt_threads_is_checked(toolchain: EmbeddedToolchain):
    text = """#include "kernel_operator.h"
#include "simt_api/asc_simt.h"
#include "simt_api/asc_fp16.h"
using namespace AscendC;
template <typename T>
__simt_vf__ __aicore__ LAUNCH_BOUND(1024) inline void Fill(__gm__ T *y, uint32_t n)
{
    for (uint32_t i = threadIdx.x; i < n; i += blockDim.x) { y[i] = static_cast<T>(0); }
}
__simt_callee__ inline float Half(__gm__ half *x) { return __half2float(asc_ldcg(x)) * rsqrtf(2.0f); }
__simt_vf__ __launch_bounds__(512) inline void Count(__gm__ int32_t *y, __gm__ half *x, __ubuf__ uint64_t *sum)
{
    asc_atomic_add(y + threadIdx.y, 1);
    asc_atomic_cas(sum, 0, __popc(asc_ballot(Half(x) > 0.0f)));
    float all = asc_reduce_add(asc_shfl_down(Half(x), 1));
    half2 pair = make_half2(Half(x), Half(x));
    pair = __haddx2(pair, pair) * pair;
    asc_syncthreads();
    if (asc_all(all > 0) && laneid() == 0) { x[0] = __float2half_rn(all); }
    asc_atomic_ad(y, 1);  // expect: undeclared identifier 'asc_atomic_ad'
}
extern "C" __global__ __aicore__ void k(GM_ADDR y, uint32_t n)
{
    asc_vf_call<Fill<float>>(dim3(1024), (__gm__ float *)y, n);
    Simt::VF_CALL<Fill<half>>(Simt::Dim3{32, 2}, (__gm__ half *)y, n);
}
"""
    check(toolchain, text, "k.cpp", chip="Ascend950")


def test_threads_need_no_header(toolchain: EmbeddedToolchain):
    text = """#include <cstdint>
__host__ __aicore__ inline uint32_t twice(uint32_t n) { return 2 * n; }
__global__ void gather(float *x, int32_t *index, float *y, uint64_t n)
{
    int32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) { y[i] = x[index[twice(i)]]; }
}
void launch(float *x, int32_t *index, float *y) { gather<<<8, 2048, nullptr>>>(x, index, y, twice(4)); }
"""
    check(toolchain, text, chip="Ascend950")


def test_the_c_interface_is_checked_by_the_kinds_of_its_arguments(toolchain: EmbeddedToolchain):
    text = """#include "c_api/asc_simd.h"
constexpr uint32_t PER_REGISTER = asc_get_vf_len() / sizeof(float);
__simd_vf__ inline void Add(__ubuf__ float *x, __ubuf__ float *y, __ubuf__ float *z, uint32_t n)
{
    vector_float a;
    vector_float b;
    vector_bool mask = asc_update_mask_b32(n);
    asc_loadalign(a, x);
    asc_loadalign(b, y + PER_REGISTER);
    asc_add(a, a, b, mask);
    asc_add(a, a, mask);  // expect: asc_add: Takes<
    asc_add(a, a, x, mask);  // expect: asc_add: Takes<
    asc_storealign(z, a, mask);
}
__global__ __vector__ void add(__gm__ float *x, __gm__ float *y, __gm__ float *z)
{
    asc_init();
    __ubuf__ float buffer[768];
    asc_copy_gm2ub(buffer, x + asc_get_block_idx() * 256, 1024);
    asc_sync_notify(PIPE_MTE2, PIPE_V, EVENT_ID0);
    asc_sync_wait(PIPE_MTE2, PIPE_V, EVENT_ID0);
    asc_vf_call<Add>(buffer, buffer + 256, buffer + 512, 256);
    if ASC_IS_AIV { asc_sync_pipe(PIPE_ALL); }
    uint64_t mode = static_cast<uint64_t>(QuantMode_t::VQF322B8_PRE) + clz(1024) + bcnt1(3);
    asc_copy_ub2gm(z, buffer + 512, 1024);
}
"""
    check(toolchain, text, chip="Ascend950")


@pytest.mark.parametrize(
    "header",
    [
        "kernel_operator_intf.h",
        "kernel_basic_intf.h",
        "basic_api/kernel_tensor.h",
        "basic_api/kernel_operator_block_sync_intf.h",
        "adv_api/activation/softmax.h",
        "adv_api/kernel_api.h",
    ],
)
def test_a_header_that_is_a_part_of_the_interface_brings_it(toolchain: EmbeddedToolchain, header: str):
    text = f"""#include "{header}"
extern "C" __global__ __aicore__ void k(GM_ADDR x)
{{
    AscendC::LocalTensor<float> a;
    AscendC::Adds(a, a, 1.0f, 64);
    AscendC::Adds(a, a, 64);  // expect: no matching function
}}
"""
    check(toolchain, text, "k.cpp")


def test_a_slip_in_the_name_of_a_part_of_the_interface_is_an_error(toolchain: EmbeddedToolchain):
    text = "#include \"basic_api/kernel_tensr.h\"  // expect: did you mean 'basic_api/kernel_tensor.h'\n"
    check(toolchain, text + "__aicore__ inline void f() {}\n")


USUAL = {
    "algorithm": "int a[3]; std::sort(a, a + 3); std::any_of(a, a + 3, [](int x) { return x > 1; });",
    "any": "std::any a = 1; int b = std::any_cast<int>(a); a.reset();",
    "array": "std::array<int, 2> a = {1, 2}; a.fill(a[0]);",
    "atomic": "std::atomic<int> n{0}; n.fetch_add(1, std::memory_order_relaxed); ++n;",
    "bitset": "std::bitset<8> b(5); b.set(1).flip(); size_t n = (b << 1).count();",
    "cassert": "assert(1 + 1 == 2);",
    "ccomplex": "std::complex<float> z(1, 2);",
    "cctype": "int a = std::isupper('A') + std::tolower('B');",
    "cerrno": "int e = errno == EINVAL;",
    "cfenv": "std::fesetround(FE_TONEAREST);",
    "cfloat": "float f = FLT_MAX;",
    "charconv": "char b[8]; int n; std::to_chars(b, b + 8, 3); std::from_chars(b, b + 8, n).ptr;",
    "chrono": "auto t = std::chrono::steady_clock::now(); using namespace std::chrono;"
    " auto us = duration_cast<microseconds>(steady_clock::now() - t).count();"
    " duration<double, std::milli> d = steady_clock::now() - t; double ms = d.count();",
    "cinttypes": "const char *p = PRIu64;",
    "ciso646": "bool b = true and not false;",
    "climits": "int i = INT_MAX;",
    "clocale": 'std::setlocale(LC_ALL, "");',
    "cmath": "float f = std::sqrt(2.0f) + std::abs(-1.5f) + std::fmod(5.0, 3.0); bool n = std::isnan(f);",
    "codecvt": "std::codecvt_utf8<wchar_t> c;",
    "complex": "std::complex<double> z(1, 2); z = z * z + 1.0; double a = std::abs(z) + z.real();",
    "condition_variable": "std::mutex m; std::condition_variable c; std::unique_lock<std::mutex> l(m);"
    " c.wait(l, [] { return true; }); c.notify_all();",
    "csetjmp": "jmp_buf place; if (setjmp(place) == 0) { std::longjmp(place, 1); }",
    "csignal": "std::signal(SIGINT, SIG_IGN);",
    "cstdalign": "alignas(8) int a = 0;",
    "cstdarg": "va_list list;",
    "cstdbool": "bool b = true;",
    "cstddef": "std::size_t n = offsetof(std::max_align_t, align2); std::nullptr_t p = nullptr;",
    "cstdint": "std::uint8_t n = UINT8_MAX;",
    "cstdio": 'std::FILE *f = std::fopen("x", "rb"); std::fprintf(stdout, "%ld", std::ftell(f));',
    "cstdlib": 'std::abs(-1L); std::exit(EXIT_FAILURE); std::strtoull("1", nullptr, 10);',
    "cstring": 'char b[4]; std::memcpy(b, "abc", 4); char *p = std::strchr(b, 98);',
    "ctgmath": "double d = std::exp(1.0);",
    "ctime": "std::time_t t = std::time(nullptr); std::localtime(&t); double d = double(clock()) / CLOCKS_PER_SEC;",
    "cuchar": 'mbstate_t s; char16_t c; std::mbrtoc16(&c, "a", 1, &s);',
    "cwchar": 'size_t n = std::wcslen(L"abc");',
    "cwctype": "int n = std::iswalpha(L'a');",
    "deque": "std::deque<int> d; d.push_front(1); d.pop_back();",
    "exception": "std::exception_ptr p = std::current_exception(); if (p) { std::terminate(); }",
    "execution": "auto p = std::execution::par;",
    "filesystem": 'namespace fs = std::filesystem; fs::path p = fs::current_path() / "x"; fs::exists(p);'
    " for (const auto &e : fs::directory_iterator(p)) { std::string s = e.path().filename().string(); }",
    "forward_list": "std::forward_list<int> l{1, 2}; l.push_front(0); for (int x : l) { x++; }",
    "fstream": 'std::ofstream f("x", std::ios::binary | std::ios::out); f << 1 << "b"; if (!f) { f.close(); }',
    "functional": "std::function<int(int)> f = [](int x) { return x; }; std::hash<int>{}(f(1)); std::negate<int>{}(1);",
    "future": "auto f = std::async(std::launch::async, [] { return 3; }); int n = f.get();",
    "initializer_list": "std::initializer_list<int> l = {1, 2}; size_t n = l.size();",
    "iomanip": "",
    "ios": "auto m = std::ios::in | std::ios_base::ate;",
    "iosfwd": "std::ostream *o = nullptr;",
    "iostream": "std::cout << std::hex << 1 << \"a\" << 'c' << std::endl; int n; std::cin >> n;",
    "istream": "std::istream *i = nullptr; char c; i->get(c).ignore();",
    "iterator": "int a[2]; auto n = std::distance(std::begin(a), std::end(a));",
    "limits": "float f = std::numeric_limits<float>::infinity();",
    "list": "std::list<int> l; l.push_back(1);",
    "locale": 'std::locale::global(std::locale("C"));',
    "map": "std::map<int, int> m; m[1] = 2; for (auto &[k, v] : m) { v = k; }",
    "memory": "auto p = std::make_unique<int>(1); std::shared_ptr<int> s = std::make_shared<int>(2); int n = *p + *s;",
    "memory_resource": "std::pmr::monotonic_buffer_resource r;",
    "mutex": "std::mutex m; std::lock_guard<std::mutex> g(m); std::once_flag f; std::call_once(f, [] {});",
    "new": "int *p = new (std::nothrow) int; delete p;",
    "numeric": "int a[2] = {1, 2}; int s = std::accumulate(a, a + 2, 0); std::iota(a, a + 2, 0);",
    "optional": "std::optional<int> o = 1; int n = o.value_or(2);",
    "ostream": "std::ostream *o = nullptr; *o << 1.5f << std::flush;",
    "queue": "std::queue<int> q; q.push(1); q.pop();",
    "random": "std::mt19937 g(std::random_device{}()); std::uniform_real_distribution<float> u(0, 1); float f = u(g);"
    " std::normal_distribution<float> n(0, 1); f += n(g); std::default_random_engine e; e.seed(3);",
    "ratio": "static_assert(std::milli::den == 1000);",
    "regex": 'std::smatch m; std::string s = "a1"; std::regex_search(s, m, std::regex("[0-9]+")); s = m[0].str();',
    "scoped_allocator": "",
    "set": "std::set<int> s{1}; s.insert(2);",
    "shared_mutex": "std::shared_mutex m; std::shared_lock<std::shared_mutex> l(m);",
    "sstream": 'std::stringstream s; s << 1 << "a"; std::string t = s.str(); int n; s >> n;',
    "stack": "std::stack<int> s; s.push(1); int n = s.top();",
    "stdexcept": 'throw std::runtime_error("x");',
    "streambuf": "std::streambuf *b = nullptr; b->sputc('c');",
    "string": 'std::string s = "a"; s += std::to_string(1); size_t n = s.find("1"); int i = std::stoi(s);',
    "string_view": 'std::string_view v = "abc"; size_t n = v.size();',
    "strstream": "",
    "system_error": "std::error_code c; if (c) { std::string s = c.message(); }",
    "thread": "std::thread t([](int n) {}, 1); t.join(); std::this_thread::sleep_for(1);",
    "tuple": "auto [a, b] = std::make_tuple(1, 2.0); std::tie(a, b) = std::make_tuple(3, 4.0);",
    "type_traits": "static_assert(std::is_same_v<std::decay_t<const int &>, int>);",
    "typeindex": "std::type_index i = typeid(int); const char *n = i.name();",
    "typeinfo": "const char *n = typeid(int).name();",
    "unordered_map": "std::unordered_map<int, int> m{{1, 2}}; auto it = m.find(1);",
    "unordered_set": "std::unordered_set<int> s; s.insert(1);",
    "utility": "auto p = std::make_pair(1, 2); std::swap(p.first, p.second);",
    "valarray": "std::valarray<float> v = {1, 2}; float s = (v + v).sum();",
    "variant": "std::variant<int, float> v = 1; if (std::holds_alternative<int>(v)) { int n = std::get<int>(v); }",
    "vector": "std::vector<int> v(3, 1); v.emplace_back(2); v.insert(v.end(), v.begin(), v.end());",
    "assert.h": "assert(true);",
    "complex.h": "",
    "ctype.h": "int a = isxdigit('f');",
    "errno.h": "int e = errno;",
    "fenv.h": "feclearexcept(FE_ALL_EXCEPT);",
    "float.h": "float f = FLT_EPSILON;",
    "inttypes.h": "const char *p = PRId64;",
    "iso646.h": "bool b = true or false;",
    "limits.h": "int i = INT_MIN;",
    "locale.h": 'setlocale(LC_ALL, "C");',
    "math.h": "double d = pow(2.0, 3.0) + M_PI + fmaf(1, 2, 3);",
    "setjmp.h": "jmp_buf place; setjmp(place);",
    "signal.h": "struct sigaction a; a.sa_handler = SIG_DFL; sigaction(SIGTERM, &a, nullptr); kill(1, SIGKILL);",
    "stdalign.h": "",
    "stdarg.h": "va_list list;",
    "stdbool.h": "bool b = false;",
    "stddef.h": "size_t n = sizeof(ptrdiff_t);",
    "stdint.h": "uint64_t n = UINT64_C(1);",
    "stdio.h": 'FILE *f = fopen("x", "w"); fputs("a", f); perror("b"); fclose(f);',
    "stdlib.h": 'int n = atoi("1"); char *p = getenv("HOME"); free(p);',
    "string.h": 'char b[8]; strncpy(b, "a", 2); char *p = strstr(b, "a"); int n = strcasecmp(b, p);',
    "tgmath.h": "double d = sin(1.0);",
    "time.h": "struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); long n = t.tv_nsec;",
    "uchar.h": "char32_t c = U'a';",
    "wchar.h": 'size_t n = wcslen(L"a");',
    "wctype.h": "wint_t c = towupper(L'a');",
    "arpa/inet.h": 'struct in_addr a; inet_pton(AF_INET, "127.0.0.1", &a);',
    "dirent.h": 'DIR *d = opendir("."); while (struct dirent *e = readdir(d)) { const char *n = e->d_name; }',
    "dlfcn.h": 'void *l = dlopen("x.so", RTLD_LAZY); dlsym(l, "f");',
    "execinfo.h": "void *f[4]; backtrace(f, 4);",
    "fcntl.h": 'int f = open("x", O_RDONLY);',
    "getopt.h": 'struct option o[] = {{"x", required_argument, nullptr, 1}}; getopt_long(0, nullptr, "", o, nullptr);',
    "netdb.h": 'struct addrinfo *r; getaddrinfo("a", "b", nullptr, &r);',
    "netinet/in.h": "struct sockaddr_in a; a.sin_port = htons(1);",
    "poll.h": "struct pollfd p; poll(&p, 1, 0);",
    "pthread.h": "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_mutex_lock(&m); pthread_self();",
    "sched.h": "cpu_set_t s; CPU_ZERO(&s); CPU_SET(1, &s); sched_setaffinity(0, sizeof(s), &s);",
    "semaphore.h": "sem_t s; sem_init(&s, 0, 1); sem_post(&s);",
    "sys/ioctl.h": "ioctl(0, 1);",
    "sys/mman.h": "void *p = mmap(nullptr, 1, PROT_READ, MAP_PRIVATE, 0, 0); if (p == MAP_FAILED) { munmap(p, 1); }",
    "sys/resource.h": "struct rusage u; getrusage(RUSAGE_SELF, &u); long n = u.ru_maxrss;",
    "sys/socket.h": "int s = socket(AF_INET, SOCK_STREAM, 0); send(s, nullptr, 0, 0);",
    "sys/stat.h": 'struct stat s; if (stat("x", &s) == 0 && S_ISDIR(s.st_mode)) { mkdir("y", S_IRWXU | 0755); }',
    "sys/time.h": "struct timeval t; gettimeofday(&t, nullptr); long n = t.tv_sec * 1000000 + t.tv_usec;",
    "sys/types.h": "pid_t p = 1; ssize_t n = -1; mode_t m = 0644;",
    "sys/wait.h": "int s; waitpid(1, &s, WNOHANG); bool b = WIFEXITED(s) && WEXITSTATUS(s) == 0;",
    "unistd.h": 'if (access("x", F_OK) == 0) { usleep(1); } char b[8]; read(0, b, 8); lseek(0, 0, SEEK_SET);',
    "acl/acl.h": "aclrtStream s; if (aclrtCreateStream(&s) != ACL_SUCCESS) { const char *m = aclGetRecentErrMsg(); }",
    "acl/acl_rt.h": "aclrtEvent e; aclrtCreateEventExWithFlag(&e, ACL_EVENT_SYNC);",
    "acl/acl_prof.h": 'aclprofInit("x", 1);',
    "aclnn/acl_meta.h": "int64_t d[] = {2}; aclTensor *t ="
    " aclCreateTensor(d, 1, aclDataType::ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, d, 1, nullptr); aclDestroyTensor(t);",
    "aclnn/aclnn_base.h": "aclOpExecutor *e = nullptr; aclnnStatus s = ACL_SUCCESS;",
}
"""What a program usually does with each header of C++17, of C, of POSIX and of the host's interface to the device."""


@pytest.mark.parametrize("header", sorted(USUAL))
def test_the_usual_names_of_a_header_are_declared(toolchain: EmbeddedToolchain, header: str):
    check(toolchain, f"#include <{header}>\nvoid usual() {{ {USUAL[header]} }}\n")


def test_every_header_of_the_standard_library_has_its_usual_names_tested():
    own = {path.name for path in (DECLARATIONS / "std").iterdir() if path.is_file() and "." not in path.name}
    assert own <= set(USUAL)
