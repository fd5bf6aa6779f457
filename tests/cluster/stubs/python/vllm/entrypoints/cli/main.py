import json
import sys

from srtwb_stub import figures, load, option, server_worker

if sys.argv[1] == "serve":
    server_worker(int(option("--port", "0")))
seconds, latencies = load(option("--base-url"), option("--model"), int(option("--num-prompts")), int(option("--max-concurrency")))
result = {"endpoint_type": option("--backend"), "model_id": option("--model"), "num_prompts": int(option("--num-prompts")),
          "request_rate": option("--request-rate"), "max_concurrency": int(option("--max-concurrency"))}
result |= figures(seconds, latencies, "e2el")
result["total_token_throughput"] = (result["total_input_tokens"] + result["total_output_tokens"]) / seconds
with open(option("--result-filename"), "w", encoding="utf-8") as file:
    json.dump(result, file)
