#include "core/snapshot/compat.h"

#include "core/base/text.h"
#include "core/snapshot/quantity.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

namespace wb::snapshot {

namespace {

constexpr std::pair<int, int> leastKernel = {5, 13};
constexpr int leastDriver = 580;

void unknown(CompatResult& result)
{
    result.state = CheckState::Unknown;
    const bool isSourceKnown = !result.source.empty();
    const bool isTargetKnown = !result.target.empty();
    result.message = !isSourceKnown && !isTargetKnown ? "Neither side is known."
                     : isSourceKnown                  ? "The target is not known."
                                                      : "The source is not known.";
}

void judge(CompatResult& result, bool isGood, std::string_view advice)
{
    result.state = isGood ? CheckState::Good : CheckState::Mismatch;
    if (!isGood)
        result.message = advice;
}

/// Equal texts; an empty one on either side is unknown.
void compareTexts(CompatResult& result, std::string source, std::string target, std::string_view advice)
{
    result.source = std::move(source);
    result.target = std::move(target);
    if (result.source.empty() || result.target.empty())
        unknown(result);
    else
        judge(result, result.source == result.target, advice);
}

void compareQuantities(CompatResult& result, const std::string& source, const std::string& target, std::string_view advice)
{
    result.source = source;
    result.target = target;
    const auto wanted = quantityOf(source);
    const auto given = quantityOf(target);
    if (!wanted || !given)
        unknown(result);
    else
        judge(result, *given >= *wanted, advice);
}

std::optional<int> leadingNumber(std::string_view& text)
{
    const std::size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
    const auto number = end > 0 && end < 8 ? base::integerOf(text.substr(0, end)) : std::nullopt;
    text.remove_prefix(end);
    return number ? std::optional(static_cast<int>(*number)) : std::nullopt;
}

/// "6.8.0-60-generic" -> 6, 8
std::optional<std::pair<int, int>> kernelOf(std::string_view text)
{
    const auto major = leadingNumber(text);
    if (!major || !text.starts_with('.'))
        return std::nullopt;
    text.remove_prefix(1);
    const auto minor = leadingNumber(text);
    return minor ? std::optional(std::pair(*major, *minor)) : std::nullopt;
}

std::string digestOf(std::string_view image)
{
    const std::size_t at = image.rfind("sha256:");
    return at == std::string_view::npos ? std::string() : std::string(image.substr(at));
}

/// Labels write dashes where drivers write blanks.
std::string productKey(std::string_view product)
{
    return base::replacedAll(product, "-", " ");
}

/// "NVIDIA B200 x8", several products sorted with commas between.
std::string shownGpus(const std::vector<std::string>& gpus)
{
    std::map<std::string, std::pair<std::string, int>> counts;
    for (const std::string& gpu : gpus) {
        auto& entry = counts[productKey(gpu)];
        if (entry.first.empty())
            entry.first = gpu;
        ++entry.second;
    }
    std::string out;
    for (const auto& [key, entry] : counts)
        out += (out.empty() ? "" : ", ") + entry.first + " x" + std::to_string(entry.second);
    return out;
}

std::vector<std::string> sortedKeys(const std::vector<std::string>& gpus)
{
    std::vector<std::string> out;
    std::transform(gpus.begin(), gpus.end(), std::back_inserter(out), productKey);
    std::sort(out.begin(), out.end());
    return out;
}

void checkArchitecture(const CompatFacts& source, const CompatFacts& target, CompatResult& result)
{
    compareTexts(result, source.architecture, target.architecture, "A checkpoint runs on the architecture that it was made on.");
}

void checkKernel(const CompatFacts& source, const CompatFacts& target, CompatResult& result)
{
    compareTexts(result, source.kernelVersion, target.kernelVersion,
                 "The kernel must be the very same build: after a rolling upgrade of the nodes every checkpoint has to be made again.");
}

void checkKernelMinimum(const CompatFacts& /*source*/, const CompatFacts& target, CompatResult& result)
{
    result.source = "5.13 or newer";
    result.target = target.kernelVersion;
    const auto kernel = kernelOf(target.kernelVersion);
    if (!kernel)
        unknown(result);
    else
        judge(result, *kernel >= leastKernel, "The node's kernel is too old for Snapshot.");
}

void checkMemory(const CompatFacts& source, const CompatFacts& target, CompatResult& result)
{
    compareQuantities(result, source.memory, target.memory, "Raise the memory limit of the restore container to what was captured.");
}

void checkCpu(const CompatFacts& source, const CompatFacts& target, CompatResult& result)
{
    compareQuantities(result, source.cpu, target.cpu, "Raise the CPU limit of the restore container to what was captured.");
}

void checkImage(const CompatFacts& source, const CompatFacts& target, CompatResult& result)
{
    compareTexts(result, digestOf(source.image), digestOf(target.image), "Use the image that was captured, by its digest.");
}

void checkGpuModel(const CompatFacts& source, const CompatFacts& target, CompatResult& result)
{
    constexpr std::string_view advice = "The checkpoint holds memory of other GPUs; it cannot be restored here.";
    result.source = shownGpus(source.gpus);
    result.target = target.gpus.empty() ? target.nodeGpuProduct : shownGpus(target.gpus);
    if (result.source.empty() || result.target.empty()) {
        unknown(result);
    } else if (target.gpus.empty()) { // how many the Pod has is not known, only which kind
        const std::vector<std::string> keys = sortedKeys(source.gpus);
        const std::string own = productKey(target.nodeGpuProduct);
        judge(result, std::all_of(keys.begin(), keys.end(), [&own](const std::string& key) { return key == own; }), advice);
    } else {
        judge(result, sortedKeys(source.gpus) == sortedKeys(target.gpus), advice);
    }
}

void checkGpuCount(const CompatFacts& source, const CompatFacts& target, CompatResult& result)
{
    constexpr std::string_view advice = "The restore container must have as many GPUs as were captured.";
    if (!source.gpus.empty())
        result.source = std::to_string(source.gpus.size());
    if (!target.gpus.empty())
        result.target = std::to_string(target.gpus.size());
    if (!result.source.empty() && !result.target.empty()) {
        judge(result, source.gpus.size() == target.gpus.size(), advice);
        return;
    }
    const bool isTooSmall =
        !source.gpus.empty() && target.nodeGpuCount && static_cast<std::size_t>(std::max(*target.nodeGpuCount, 0)) < source.gpus.size();
    if (!isTooSmall) {
        unknown(result);
        return;
    }
    result.target = std::to_string(*target.nodeGpuCount);
    judge(result, false, "The node has fewer GPUs than were captured.");
}

void checkDriver(const CompatFacts& source, const CompatFacts& target, CompatResult& result)
{
    compareTexts(result, source.driverVersion, target.driverVersion,
                 "The driver must be the very same build: after a driver upgrade every checkpoint has to be made again.");
}

void checkDriverMinimum(const CompatFacts& /*source*/, const CompatFacts& target, CompatResult& result)
{
    result.source = "580 or newer";
    result.target = target.driverVersion;
    std::string_view text = target.driverVersion;
    auto major = leadingNumber(text);
    if (!major && target.driverMajor) {
        major = target.driverMajor;
        result.target = std::to_string(*major);
    }
    if (!major)
        unknown(result);
    else
        judge(result, *major >= leastDriver, "The node's driver is too old for Snapshot.");
}

/// Mounts that every container has, or that hold nothing that must come back.
bool isExempt(std::string_view mount)
{
    return mount == "/" || mount == "/dev/shm";
}

std::vector<CompatResult> compareMounts(const CompatFacts& source, const CompatFacts& target, const CompatResult& row)
{
    CompatResult result = row;
    if (!source.mounts || !target.mounts) {
        result.source = source.mounts ? base::joined(*source.mounts, ", ") : "";
        result.target = target.mounts ? base::joined(*target.mounts, ", ") : "";
        unknown(result);
        return {result};
    }
    const std::set<std::string> there(target.mounts->begin(), target.mounts->end());
    std::vector<CompatResult> out;
    for (const std::string& mount : *source.mounts) {
        if (isExempt(mount) || there.contains(mount))
            continue;
        result.source = mount;
        result.target = "missing";
        judge(result, false, "The restore container needs a mount at this path, as the captured one had.");
        out.push_back(result);
    }
    if (out.empty()) {
        result.source = result.target = base::joined(*source.mounts, ", ");
        result.state = CheckState::Good;
        out.push_back(result);
    }
    return out;
}

constexpr std::array checks = {
    CompatCheck{"cpu-arch", Gate::Preflight, "Same processor architecture", checkArchitecture},
    CompatCheck{"kernel-version", Gate::Preflight, "Same kernel build (uname -r)", checkKernel},
    CompatCheck{"kernel-minimum", Gate::Preflight, "Kernel 5.13 or newer", checkKernelMinimum},
    CompatCheck{"memory-limit", Gate::Preflight, "At least the memory that was captured", checkMemory},
    CompatCheck{"cpu-limit", Gate::Preflight, "At least the CPUs that were captured", checkCpu},
    CompatCheck{"image-digest", Gate::Inspect, "Same image, by its digest", checkImage},
    CompatCheck{"mount", Gate::Inspect, "Every mount that was captured", nullptr},
    CompatCheck{"gpu-model", Gate::Inspect, "Same GPUs", checkGpuModel},
    CompatCheck{"gpu-count", Gate::Inspect, "Same number of GPUs", checkGpuCount},
    CompatCheck{"driver-version", Gate::Inspect, "Same driver build", checkDriver},
    CompatCheck{"driver-minimum", Gate::Inspect, "Driver 580 or newer", checkDriverMinimum},
};

} // namespace

std::string_view name(Gate gate)
{
    return gate == Gate::Preflight ? "preflight" : "inspect";
}

std::string_view name(CheckState state)
{
    switch (state) {
    case CheckState::Good:
        return "ok";
    case CheckState::Mismatch:
        return "mismatch";
    case CheckState::Unknown:
        break;
    }
    return "unknown";
}

std::string_view name(Verdict verdict)
{
    switch (verdict) {
    case Verdict::CanRestore:
        return "can-restore";
    case Verdict::Refused:
        return "refused";
    case Verdict::NotKnown:
        break;
    }
    return "not-known";
}

std::span<const CompatCheck> compatChecks()
{
    return checks;
}

std::vector<CompatResult> compare(const CompatFacts& source, const CompatFacts& target)
{
    std::vector<CompatResult> out;
    for (const CompatCheck& check : checks) {
        CompatResult result;
        result.check = check.id;
        result.gate = check.gate;
        if (check.run) {
            check.run(source, target, result);
            out.push_back(std::move(result));
            continue;
        }
        for (CompatResult& mount : compareMounts(source, target, result))
            out.push_back(std::move(mount));
    }
    return out;
}

Verdict verdictOf(std::span<const CompatResult> results)
{
    const auto has = [results](CheckState state) {
        return std::any_of(results.begin(), results.end(), [state](const CompatResult& r) { return r.state == state; });
    };
    return has(CheckState::Mismatch) ? Verdict::Refused : has(CheckState::Unknown) ? Verdict::NotKnown : Verdict::CanRestore;
}

} // namespace wb::snapshot
