"""Measures a served model at each concurrency with the client of the engine in this image, and writes what sa-bench writes.

The client is sglang.bench_serving or vLLM's "bench serve": the one of the engine that is asked for, else the one that is there. Its figures
come back under the names of sa-bench; its whole own result stands under "client_result", its name and version under "client".
"""

import argparse
import importlib.metadata
import importlib.util
import json
import math
import os
import subprocess
import sys
import time

CLIENTS = {"sglang": "sglang.bench_serving", "vllm": "vllm.entrypoints.cli.main"}
# What sa-bench calls a figure, and what the clients call it.
NAMES = {
    "duration": ("duration",),
    "completed": ("completed",),
    "total_input_tokens": ("total_input_tokens",),
    "total_output_tokens": ("total_output_tokens",),
    "request_throughput": ("request_throughput",),
    "output_throughput": ("output_throughput",),
    "total_token_throughput": ("total_token_throughput", "total_throughput"),
}
for _metric, _others in (("ttft", ("ttft",)), ("tpot", ("tpot",)), ("itl", ("itl",)), ("e2el", ("e2el", "e2e_latency"))):
    for _statistic in ("mean", "median", "std", "p50", "p90", "p95", "p99"):
        NAMES[f"{_statistic}_{_metric}_ms"] = tuple(f"{_statistic}_{other}_ms" for other in _others)


def options():
    parser = argparse.ArgumentParser()
    for name in ("url", "model", "tokenizer", "concurrencies", "rate", "engine", "folder", "gpus", "client-note"):
        parser.add_argument("--" + name, required=True)
    for name in ("isl", "osl", "prompts", "warmup"):
        parser.add_argument("--" + name, type=int, required=True)
    parser.add_argument("--range-ratio", type=float, required=True)
    parser.add_argument("--chat-template", action="store_true")
    return parser.parse_args()


def there(module):
    return importlib.util.find_spec(module.split(".")[0]) is not None


def chosen(engine):
    for name in [engine] if engine in CLIENTS else CLIENTS:
        if there(CLIENTS[name]):
            return name
    sys.exit(f"There is no client of {engine if engine in CLIENTS else 'sglang or vllm'} in this image, so nothing can be measured.")


def version(package):
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "of unknown version"


def command(client, given, concurrency, prompts, rate, out):
    common = ["--model", given.model, "--tokenizer", given.tokenizer, "--num-prompts", str(prompts), "--max-concurrency", str(concurrency),
              "--request-rate", str(rate)]
    if client == "sglang":
        words = [sys.executable, "-m", CLIENTS[client], "--backend", "sglang-oai", "--base-url", given.url, "--dataset-name", "random-ids",
                 "--random-input-len", str(given.isl), "--random-output-len", str(given.osl), "--random-range-ratio", str(given.range_ratio),
                 "--warmup-requests", "0", "--output-file", out]
        return words + common + (["--apply-chat-template"] if given.chat_template else [])
    # sa-bench draws lengths from ratio x length to length; vLLM from (1 - ratio) x length to (1 + ratio) x length.
    ratio = (1 - given.range_ratio) / (1 + given.range_ratio)
    middle = (1 + given.range_ratio) / 2
    return [sys.executable, "-m", CLIENTS[client], "bench", "serve", "--backend", "openai", "--base-url", given.url, "--endpoint",
            "/v1/completions", "--dataset-name", "random", "--random-input-len", str(round(given.isl * middle)), "--random-output-len",
            str(round(given.osl * middle)), "--random-range-ratio", f"{ratio:.6f}", "--ignore-eos", "--save-result", "--result-filename", out,
            "--percentile-metrics", "ttft,tpot,itl,e2el", "--metric-percentiles", "50,90,95,99"] + common


def call(words):
    print("$", " ".join(words), flush=True)
    status = subprocess.call(words)
    if status != 0:
        sys.exit(f"The client ended with exit code {status}.")


def last_document(path):
    with open(path, encoding="utf-8") as file:
        text = file.read().strip()
    try:
        return json.loads(text)
    except ValueError:
        return json.loads(text.splitlines()[-1])


def finite(value):
    """What JSON can say of a client's result."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {key: finite(each) for key, each in value.items()}
    if isinstance(value, list):
        return [finite(each) for each in value]
    return value


def told(client, note, given, concurrency, prompts, own):
    result = {
        "date": time.strftime("%Y%m%d-%H%M%S"),
        "backend": "openai",
        "model_id": given.model,
        "tokenizer_id": given.tokenizer,
        "num_prompts": prompts,
        "request_rate": given.rate if given.rate == "inf" else float(given.rate),
        "max_concurrency": concurrency,
    }
    for name, others in NAMES.items():
        for other in others:
            if isinstance(own.get(other), (int, float)):
                result[name] = own[other]
                break
    if "total_token_throughput" not in result and result.get("duration") and "total_input_tokens" in result:
        result["total_token_throughput"] = (result["total_input_tokens"] + result.get("total_output_tokens", 0)) / result["duration"]
    result["client"] = note
    result["client_range_ratio"] = given.range_ratio
    # Texts and a figure per token are what makes such files large; the summary stands above.
    result["client_result"] = {key: value for key, value in own.items() if not isinstance(value, list)}
    return finite(result)


def main():
    given = options()
    client = chosen(given.engine)
    note = f"{CLIENTS[client] if client == 'sglang' else 'vllm bench serve'} {version(client)}"
    print(f"Measured by {note}. {given.client_note}".strip(), flush=True)
    with open(os.path.join(os.environ["SRTWB_LOGS"], "client.out"), "w", encoding="utf-8") as file:
        file.write(note + "\n")
    os.makedirs(given.folder, exist_ok=True)
    for concurrency in [int(text) for text in given.concurrencies.split(",")]:
        scratch = os.path.join(given.folder, f".client-{concurrency}")
        if given.warmup > 0:
            call(command(client, given, concurrency, concurrency * given.warmup, 250, scratch))
            os.path.exists(scratch) and os.remove(scratch)
        call(command(client, given, concurrency, concurrency * given.prompts, given.rate, scratch))
        if not os.path.exists(scratch):
            sys.exit("The client ended well and wrote no result.")
        result = told(client, note, given, concurrency, concurrency * given.prompts, last_document(scratch))
        os.remove(scratch)
        name = os.path.join(given.folder, f"results_concurrency_{concurrency}_{given.gpus}.json")
        with open(name + ".new", "w", encoding="utf-8") as file:
            json.dump(result, file, indent=2)
        os.replace(name + ".new", name)
        if not result.get("completed"):
            sys.exit(f"No request was completed at concurrency {concurrency}.")


main()
