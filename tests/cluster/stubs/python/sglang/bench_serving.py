import json

from srtwb_stub import figures, load, option

seconds, latencies = load(option("--base-url"), option("--model"), int(option("--num-prompts")), int(option("--max-concurrency")))
result = {"backend": option("--backend"), "dataset_name": option("--dataset-name"), "request_rate": float(option("--request-rate")),
          "max_concurrency": int(option("--max-concurrency")), "random_input_len": int(option("--random-input-len")),
          "random_output_len": int(option("--random-output-len")), "random_range_ratio": float(option("--random-range-ratio"))}
result |= figures(seconds, latencies, "e2e_latency")
with open(option("--output-file"), "a", encoding="utf-8") as file:
    file.write(json.dumps(result) + "\n")
