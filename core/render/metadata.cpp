#include "core/render/metadata.h"

#include "core/plan/topology.h"

namespace wb::render {

namespace {

using base::json::Object;
using base::json::Value;
using plan::Mode;

Value resourcesOf(const recipe::Resources& resources)
{
    return Object{
        {"gpu_type", resources.gpuType},
        {"gpus_per_node", resources.gpusPerNode},
        {"prefill_nodes", resources.prefillNodes},
        {"decode_nodes", resources.decodeNodes},
        {"agg_nodes", resources.aggNodes},
        {"prefill_workers", plan::workers(resources, Mode::Prefill)},
        {"decode_workers", plan::workers(resources, Mode::Decode)},
        {"agg_workers", plan::workers(resources, Mode::Agg)},
        {"gpus_per_prefill", plan::gpusPerWorker(resources, Mode::Prefill)},
        {"gpus_per_decode", plan::gpusPerWorker(resources, Mode::Decode)},
        {"gpus_per_agg", plan::gpusPerWorker(resources, Mode::Agg)},
    };
}

/// As the recipe says it: the two languages mean different frontends by "sglang".
std::string frontendAsWritten(const recipe::Job& job)
{
    const syntax::ValuePtr type = job.written ? syntax::at(job.written, "frontend.type") : nullptr;
    return type && type->isString() ? type->text : job.frontend.type;
}

} // namespace

Value metadata(const recipe::Job& job)
{
    Value out = Object{
        {"version", "2.0"},
        {"orchestrator", true},
        {"job_id", nullptr},
        {"job_name", job.name},
        {"generated_at", nullptr},
        {"model", Object{{"path", job.modelPath}, {"container", job.container}, {"precision", job.precision}}},
        {"resources", resourcesOf(job.resources)},
        {"backend_type", job.backend.type},
        {"frontend_type", frontendAsWritten(job)},
        {"benchmark", Object{{"type", job.benchmark.type}, {"isl", job.benchmark.isl}, {"osl", job.benchmark.osl}}},
    };
    if (job.setupScript && !job.setupScript->empty())
        out.set("setup_script", *job.setupScript);
    return out;
}

} // namespace wb::render
