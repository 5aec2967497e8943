/* A libnvidia-ml that plays a known power curve. Only what the monitor asks for; the layouts of the
   structures are those of nvml.h. Driven by the functions at the end, which have no NVML name. */

#include <string.h>
#include <time.h>

typedef struct { unsigned int version; unsigned long long total, reserved, free, used; } memory_v2;
typedef struct { unsigned long long total, free, used; } memory_v1;
typedef struct { unsigned int gpu, memory; } utilization;
typedef struct {
    char bus_id_legacy[16];
    unsigned int domain, bus, device, pci_device_id, pci_subsystem_id;
    char bus_id[32];
} pci_info;
typedef union { double d; unsigned int ui; unsigned long ul; unsigned long long ull; } value;
typedef struct {
    unsigned int field_id, scope_id;
    long long timestamp, latency;
    int value_type, nvml_return;
    value value;
} field_value;

enum { OK = 0, UNINITIALIZED = 1, NOT_SUPPORTED = 3 };
enum { COUNTER = 1, INSTANT = 2, USAGE = 4, MEMORY_V2 = 8 };

static struct {
    int offered, init_error, error, error_after, devices, opened, calls, inits, shutdowns;
    double now, step_seconds, reset_at;
    int points;
    double at[64], watts[64];
} s;

static double clock_now(void) {
    struct timespec t;
    if (s.now >= 0) return s.now;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

static double watts_at(double t) {
    int i;
    if (t <= s.at[0]) return s.watts[0];
    for (i = 1; i < s.points; i++)
        if (t < s.at[i]) {
            double part = (t - s.at[i - 1]) / (s.at[i] - s.at[i - 1]);
            return s.watts[i - 1] + part * (s.watts[i] - s.watts[i - 1]);
        }
    return s.watts[s.points - 1];
}

/* Joules from the first point of the curve to t. */
static double joules_at(double t) {
    double sum = 0;
    int i;
    if (t <= s.at[0]) return (t - s.at[0]) * s.watts[0];
    for (i = 1; i < s.points && s.at[i] <= t; i++)
        sum += (s.at[i] - s.at[i - 1]) * (s.watts[i] + s.watts[i - 1]) / 2;
    return sum + (t - s.at[i - 1]) * (watts_at(t) + s.watts[i - 1]) / 2;
}

static int asked(void) {
    s.calls++;
    if (!s.opened) return UNINITIALIZED;
    if (s.error && s.calls > s.error_after) return s.error;
    return OK;
}

#define ASK(ability)                                     \
    int failed = asked();                                \
    if (failed) return failed;                           \
    if ((ability) && !(s.offered & (ability))) return NOT_SUPPORTED

int nvmlInitWithFlags(unsigned int flags) {
    (void)flags;
    s.calls++;
    if (s.init_error) return s.init_error;
    s.inits++;
    s.opened++;
    return OK;
}

int nvmlShutdown(void) {
    s.calls++;
    if (!s.opened) return UNINITIALIZED;
    s.shutdowns++;
    s.opened--;
    return OK;
}

const char *nvmlErrorString(int error) { (void)error; return "stand-in error"; }

int nvmlDeviceGetCount_v2(unsigned int *count) {
    ASK(0);
    *count = s.devices;
    return OK;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned int index, void **handle) {
    ASK(0);
    *handle = (void *)(unsigned long)(index + 1);
    return OK;
}

int nvmlDeviceGetPciInfo_v3(void *handle, pci_info *info) {
    ASK(0);
    memset(info, 0, sizeof *info);
    strcpy(info->bus_id, "00000000:01:00.0");
    info->bus_id[10] = '0' + (char)(unsigned long)handle;
    return OK;
}

int nvmlDeviceGetName(void *handle, char *name, unsigned int length) {
    ASK(0);
    (void)handle;
    strncpy(name, "Stand-in RTX", length);
    return OK;
}

int nvmlDeviceGetTotalEnergyConsumption(void *handle, unsigned long long *millijoules) {
    double t, base = 1e6;
    ASK(COUNTER);
    (void)handle;
    t = clock_now();
    if (s.step_seconds > 0) t = s.step_seconds * (long long)(t / s.step_seconds);
    if (s.reset_at >= 0 && t >= s.reset_at) base = -joules_at(s.reset_at);
    *millijoules = (unsigned long long)((base + joules_at(t)) * 1000);
    return OK;
}

int nvmlDeviceGetPowerUsage(void *handle, unsigned int *milliwatts) {
    ASK(USAGE);
    (void)handle;
    *milliwatts = (unsigned int)(watts_at(clock_now()) * 1000);
    return OK;
}

int nvmlDeviceGetFieldValues(void *handle, int count, field_value *values) {
    int i;
    ASK(0);
    (void)handle;
    for (i = 0; i < count; i++) {
        values[i].nvml_return = (s.offered & INSTANT) && values[i].field_id == 186 ? OK : NOT_SUPPORTED;
        values[i].value_type = 1;
        values[i].value.ui = (unsigned int)(watts_at(clock_now()) * 1000);
    }
    return OK;
}

int nvmlDeviceGetEnforcedPowerLimit(void *handle, unsigned int *milliwatts) {
    ASK(0);
    (void)handle;
    *milliwatts = 320000;
    return OK;
}

int nvmlDeviceGetMemoryInfo_v2(void *handle, memory_v2 *memory) {
    ASK(MEMORY_V2);
    (void)handle;
    if (memory->version != 0x02000028) return 25;
    memory->total = 24000;
    memory->reserved = 500;
    memory->used = 10000;
    memory->free = 13500;
    return OK;
}

int nvmlDeviceGetMemoryInfo(void *handle, memory_v1 *memory) {
    ASK(0);
    (void)handle;
    memory->total = 24000;
    memory->used = 10500;
    memory->free = 13500;
    return OK;
}

int nvmlDeviceGetUtilizationRates(void *handle, utilization *busy) {
    ASK(0);
    (void)handle;
    busy->gpu = 97;
    busy->memory = 61;
    return OK;
}

int nvmlDeviceGetClockInfo(void *handle, int type, unsigned int *mhz) {
    ASK(0);
    (void)handle;
    *mhz = type == 2 ? 10501 : 2520;
    return OK;
}

/* The name before driver 535: the newer one is missing here. */
int nvmlDeviceGetCurrentClocksThrottleReasons(void *handle, unsigned long long *reasons) {
    ASK(0);
    (void)handle;
    *reasons = 0x04 | 0x08 | 0x40;
    return OK;
}

/* --- the other side ---------------------------------------------------------------------------- */

void stand_in_begin(int offered, int devices) {
    memset(&s, 0, sizeof s);
    s.offered = offered;
    s.devices = devices;
    s.now = -1;
    s.reset_at = -1;
    s.points = 1;
    s.watts[0] = 100;
}

/* Loaded by its name, without a test on the other side: one device with everything, 100 W. */
__attribute__((constructor)) static void at_load(void) { stand_in_begin(15, 1); }

void stand_in_point(int i, double at, double watts) {
    s.at[i] = at;
    s.watts[i] = watts;
    s.points = i + 1;
}

void stand_in_time(double now) { s.now = now; }
void stand_in_counter(double step_seconds, double reset_at) {
    s.step_seconds = step_seconds;
    s.reset_at = reset_at;
}
void stand_in_fail(int init_error, int error, int after_calls) {
    s.init_error = init_error;
    s.error = error;
    s.error_after = s.calls + after_calls;
}
double stand_in_joules(double from, double to) { return joules_at(to) - joules_at(from); }
int stand_in_calls(void) { return s.calls; }
int stand_in_open(void) { return s.opened; }
