#include "core/snapshot/capturemanifest.h"

#include "core/base/secrets.h"
#include "core/base/text.h"
#include "core/plan/topology.h"
#include "core/snapshot/names.h"
#include "core/snapshot/restoremanifest.h"
#include "core/syntax/value.h"
#include "core/syntax/yaml.h"

#include <algorithm>
#include <array>

namespace wb::snapshot {

using base::json::Value;

namespace {

struct EngineRow {
    std::string_view id, title;
    std::string_view arguments; ///< Variable that holds the engine's arguments as JSON.
    std::string_view size;      ///< Key of the tensor parallel size in them.
};
constexpr auto engineRows = std::to_array<EngineRow>({{"vllm", "vLLM", "VLLM_ENGINE_ARGS", "tensor_parallel_size"},
                                                      {"sglang", "SGLang", "SGLANG_ENGINE_ARGS", "tp_size"},
                                                      {"trtllm", "TensorRT-LLM", "TRTLLM_ENGINE_ARGS", "tensor_parallel_size"}});

const EngineRow* findEngine(std::string_view id)
{
    const auto* found = std::ranges::find(engineRows, id, &EngineRow::id);
    return found == engineRows.end() ? nullptr : found;
}

constexpr std::string_view exampleDigest = "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

/// JSON in quotes is YAML, too.
std::string inYaml(const std::string& text)
{
    return base::json::write(Value(text), 0);
}

/// Each line moved to the right.
std::string indented(std::string_view text, std::size_t blanks)
{
    std::string out;
    for (const std::string_view line : base::splitAt(text, '\n'))
        out += std::string(blanks, ' ') + std::string(line) + '\n';
    return out;
}

void addVariable(std::string& out, std::string_view name, const std::string& value)
{
    out += "            - name: " + std::string(name) + "\n              value: " + inYaml(value) + '\n';
}

Value argumentsOf(const CaptureWish& wish, const EngineRow& engine)
{
    Value all;
    all.set("model", wish.model);
    if (!wish.arguments.isNull()) {
        for (const base::json::Member& member : wish.arguments.object())
            all.set(member.key, member.value);
        return all;
    }
    all.set(std::string(engine.size), wish.gpus);
    return all;
}

/// A name of an object from any words: what Kubernetes does not take becomes a dash.
std::string objectName(std::string_view words)
{
    constexpr std::size_t longest = 63;
    std::string name;
    for (const char c : base::lowered(words)) {
        const bool isGood = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        if (isGood || (!name.empty() && name.back() != '-'))
            name += isGood ? c : '-';
    }
    name.resize(std::min(name.size(), longest));
    while (name.ends_with('-'))
        name.pop_back();
    return name.empty() ? "capture" : name;
}

/// "tensor-parallel-size: 8" of a command line is "tensor_parallel_size" of the engine itself.
/// Those whose values are secrets are named in `secrets` instead.
Value argumentsOf(const syntax::ValuePtr& flags, std::string& secrets)
{
    Value arguments{base::json::Object{}};
    const Value written = flags ? syntax::toJson(*flags) : Value();
    for (const base::json::Member& member : written.object()) {
        const std::string* text = member.value.string();
        if (base::isSecretName(member.key) || (text && base::maskedSecrets(*text) != *text))
            secrets += (secrets.empty() ? "" : ", ") + member.key;
        else
            arguments.set(base::replacedAll(member.key, "-", "_"), member.value);
    }
    return arguments;
}

std::string gpuWords(std::int64_t gpus)
{
    return std::to_string(gpus) + (gpus == 1 ? " GPU" : " GPUs");
}

/// The part of a text before its first line that is no comment.
std::string withoutHead(std::string text)
{
    while (text.starts_with('#'))
        text.erase(0, text.find('\n') + 1);
    return text;
}

std::vector<ManifestTemplate> makeTemplates()
{
    std::vector<ManifestTemplate> all;
    for (const EngineRow& engine : engineRows)
        for (const std::int64_t gpus : {std::int64_t{1}, std::int64_t{8}}) {
            const std::string stem = std::string(engine.id) + '-' + std::to_string(gpus);
            const std::string title = std::string(engine.title) + " on " + gpuWords(gpus);
            CaptureWish wish{.name = std::string(engine.id) + "-capture",
                             .engine = std::string(engine.id),
                             .model = gpus == 1 ? "Qwen/Qwen3-0.6B" : "/models/your-model",
                             .gpus = gpus};
            std::string capture = captureManifest(wish);
            auto restore = restoreManifestOf(withoutHead(capture), {});
            all.push_back({stem + "-capture", "Capture of " + title, std::move(capture)});
            if (restore)
                all.push_back({stem + "-restore", "Restore of " + title,
                               "# Starts " + std::string(engine.title) + " from what was captured, here by the SnapshotJob " + wish.name +
                                   " in the same namespace.\n# Image by digest, GPUs, limits and mounts are those of the capture: the "
                                   "agent compares them before it restores.\n" +
                                   restore->text});
        }
    all.push_back({"podsnapshot", "Capture of a Pod that runs",
                   "# Captures a Pod that runs already. Its container has to carry the control volume itself (a SnapshotJob does that for "
                   "you) and\n# ends with the capture.\n"
                   "apiVersion: nvidia.com/v1alpha1\nkind: PodSnapshot\nmetadata:\n  name: my-snapshot\nspec:\n  source:\n    podRef:\n"
                   "      name: name-of-the-pod\n      containers:\n        - main\n"});
    return all;
}

} // namespace

std::string captureManifest(const CaptureWish& wish)
{
    const EngineRow& engine = *findEngine(wish.engine);
    const bool hasSeveral = wish.gpus > 1;
    std::string out = "# Captures " + std::string(engine.title) + " on " + gpuWords(wish.gpus) +
                      " once it is loaded: start it, wait until it pauses itself, freeze it. The capture ends the Pod.\n";
    for (const std::string& remark : wish.remarks)
        out += "# " + base::replacedAll(remark, "\n", " ") + '\n';
    out += "apiVersion: nvidia.com/v1alpha1\nkind: SnapshotJob\nmetadata:\n  name: " + inYaml(wish.name) +
           " # also the name of the PodSnapshot that comes of it\nspec:\n  activeDeadlineSeconds: " + (hasSeveral ? "7200" : "1800") +
           "\n  podSnapshotTemplate:\n    targetContainers:\n      - main\n  podTemplate:\n";
    if (hasSeveral)
        out +=
            "    metadata:\n      annotations:\n        nvidia.com/cuda-shared-memory-support: enabled # GPUs that share memory (NCCL)\n";
    out += "    spec:\n      runtimeClassName: nvidia\n      terminationGracePeriodSeconds: 1\n      nodeSelector:\n"
           "        nvidia.com/gpu.present: \"true\"\n      containers:\n        - name: main\n"
           "          # By its digest: a restore needs the very same image.\n          image: ";
    out +=
        inYaml(wish.image.empty() ? "registry.example.com/" + wish.engine + "-snapshot@" + std::string(exampleDigest) : wish.image) + '\n';
    out += "          # A program of yours: loads the engine, pauses it, writes $SNAPSHOT_CONTROL_DIR/ready-for-snapshot and waits.\n"
           "          command: [python3, /app/serve.py]\n          env:\n";
    out += "            - name: " + std::string(engine.arguments) + "\n              value: |-\n" +
           indented(base::trimmed(base::json::write(argumentsOf(wish, engine))), 16);
    addVariable(out, "HF_HUB_DISABLE_XET", "1");
    for (const auto& [name, value] : wish.environment)
        if (name != "HF_HUB_DISABLE_XET" && name != engine.arguments)
            addVariable(out, inYaml(name), value);
    out +=
        "          resources:\n            limits:\n              nvidia.com/gpu: " + std::to_string(wish.gpus) +
        "\n              memory: " + (hasSeveral ? "1Ti" : "32Gi") +
        " # holds the pages of the GPUs' memory, too\n          volumeMounts:\n            - name: models\n"
        "              mountPath: /models\n            - name: app\n              mountPath: /app\n              readOnly: true\n"
        "            - name: shm\n              mountPath: /dev/shm\n      volumes:\n        - name: models\n"
        "          persistentVolumeClaim:\n            claimName: models\n        - name: app\n          configMap:\n"
        "            name: serve-program\n        - name: shm\n          emptyDir:\n            medium: Memory\n            sizeLimit: " +
        std::string(hasSeveral ? "64Gi" : "1Gi") + '\n';
    return out;
}

const std::vector<ManifestTemplate>& manifestTemplates()
{
    static const std::vector<ManifestTemplate> all = makeTemplates();
    return all;
}

const ManifestTemplate* findTemplate(std::string_view id)
{
    const auto& all = manifestTemplates();
    const auto found = std::ranges::find(all, id, &ManifestTemplate::id);
    return found == all.end() ? nullptr : &*found;
}

Result<CaptureWish> captureOf(const recipe::Job& job)
{
    const auto refused = [&job](const std::string& why) {
        return failure(ErrorCode::Unsupported, "Snapshot cannot capture " + base::inQuotes(job.name) + ": " + why);
    };
    const recipe::Resources& resources = job.resources;
    if (resources.isDisaggregated())
        return refused("prefill and decode run apart, and it captures one container on one node.");
    if (!findEngine(job.backend.type))
        return refused("it knows vLLM, SGLang and TensorRT-LLM, not " + base::inQuotes(job.backend.type) + '.');
    const std::int64_t gpus = plan::gpusPerWorker(resources, recipe::Mode::Agg);
    const std::int64_t workers = plan::workers(resources, recipe::Mode::Agg);
    if (gpus < 1 || workers < 1)
        return refused("it does not say how many GPUs a worker has.");
    if (gpus > resources.gpusPerNode)
        return refused("a worker has " + std::to_string(gpus) + " GPUs and a node " + std::to_string(resources.gpusPerNode) +
                       ", and it captures one node.");
    std::string secrets; // a text that is shown, saved and applied is no place for their values
    CaptureWish wish{.name = objectName(job.name),
                     .engine = job.backend.type,
                     .model = job.modelPath,
                     .gpus = gpus,
                     .arguments = argumentsOf(job.backend.agg.flags, secrets),
                     .environment = job.environment};
    wish.environment.insert(wish.environment.end(), job.backend.agg.environment.begin(), job.backend.agg.environment.end());
    std::ranges::stable_sort(wish.environment, {}, &std::pair<std::string, std::string>::first);
    std::erase_if(wish.environment, [&secrets](const auto& variable) {
        const bool isSecret = base::shownValue(variable.first, variable.second) != variable.second;
        if (isSecret)
            secrets += (secrets.empty() ? "" : ", ") + variable.first;
        return isSecret;
    });
    // Of two with one name the mode's own, which is the later one.
    for (auto it = wish.environment.begin(); it != wish.environment.end();)
        it = std::next(it) != wish.environment.end() && std::next(it)->first == it->first ? wish.environment.erase(it) : std::next(it);
    wish.remarks.push_back("Made from the recipe of " + job.name + ": model, GPUs, arguments and environment of a worker are its own.");
    if (!secrets.empty())
        wish.remarks.push_back("Left out, as their values are secrets: " + secrets +
                               "; give them by \"valueFrom\" of a Secret in the cluster.");
    if (workers > 1)
        wish.remarks.push_back("The recipe starts " + std::to_string(workers) +
                               " workers; one is captured and restored as often as wanted.");
    wish.remarks.push_back("To be filled in: the image (the recipe has " + (job.container.empty() ? std::string("none") : job.container) +
                           "), where the model lies, and the program that pauses the engine.");
    return wish;
}

} // namespace wb::snapshot
