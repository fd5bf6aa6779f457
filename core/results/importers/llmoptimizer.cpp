#include "core/results/importers/llmoptimizer.h"

#include "core/results/fieldreader.h"
#include "core/results/filename.h"
#include "core/results/importers/clientsummary.h"
#include "core/results/importers/rows.h"
#include "core/results/importers/sglangbenchserving.h"

// llm-optimizer writes an object a line: the arguments of server and client below `config`, SGLang's keys below `results`.

namespace wb::results {

using base::json::Value;

namespace {

bool isResult(const Value& object)
{
    const Value* results = object.find("results");
    return results && results->isObject() && object.at({"config", "client_args"}) != nullptr;
}

void takeServer(const Input& input, const Row& row, Point& point)
{
    const Value* arguments = row.object->at({"config", "server_args"});
    if (!arguments || !arguments->isObject())
        return;
    FieldReader reader(point, *arguments, "config.server_args.", placesIn(input, row, {std::string("config"), std::string("server_args")}));
    reader.takeText("model", point.model, {"model_path", "model"});
    reader.take("tp", {"tp_size", "tensor_parallel_size"});
    const auto tp = reader.number(reader.has("tp_size") ? "tp_size" : "tensor_parallel_size");
    if (!tp || *tp <= 0)
        return;
    const double dp = reader.number(reader.has("dp_size") ? "dp_size" : "data_parallel_size").value_or(1.0);
    setDerived(point, "gpus.total", *tp * (dp > 0 ? dp : 1.0), "config.server_args: tensor x data parallel");
    setDerived(point, "gpus.working", *tp * (dp > 0 ? dp : 1.0), "config.server_args: tensor x data parallel");
    point.gpus.origin = "the file";
}

Point readRow(const Input& input, const Row& row)
{
    Point point = pointOf(input, "llm-optimizer", row.index);
    FieldReader client(point, *row.object->at({"config", "client_args"}), "config.client_args.",
                       placesIn(input, row, {std::string("config"), std::string("client_args")}));
    client.take("concurrency", {"max_concurrency"});
    client.take("requested", {"num_prompts"});
    FieldReader reader(point, *row.object->find("results"), "results.", placesIn(input, row, {std::string("results")}));
    takeSglangMeasurements(reader, point);
    takeEngineOfBackend(reader, point);
    if (!point.isl)
        client.take("isl", {"random_input_len"});
    if (!point.osl)
        client.take("osl", {"random_output_len"});
    takeServer(input, row, point);
    point.run.text = runNameFor(input.path);
    return point;
}

} // namespace

bool sniffLlmOptimizer(const Input& input)
{
    return anyRow(input, isResult);
}

Result<PointSet> readLlmOptimizer(const Input& input, std::stop_token stop)
{
    return readRows(
        input, stop, "a result of llm-optimizer", [](const Row& row) { return isResult(*row.object); },
        [&](const Row& row) { return readRow(input, row); });
}

} // namespace wb::results
