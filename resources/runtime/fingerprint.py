"""Prints what a worker runs with, as one line of JSON: machine, GPUs, Python, frameworks, packages, variables (secrets left out)."""

import importlib.metadata
import json
import os
import platform
import re
import socket
import subprocess
import time

SECRET = re.compile("TOKEN|KEY|SECRET|PASSWORD|CREDENTIAL|AUTH", re.IGNORECASE)
KNOWN = ("CUDA", "DYN_", "ETCD_", "FLASHINFER", "GLOO", "HEAD_NODE", "HF_", "MC_", "MOONCAKE", "NATS_", "NCCL", "NVSHMEM", "PYTORCH",
         "SGLANG", "SGL_", "TORCH", "TRTLLM", "UCX", "VLLM")
UNAVAILABLE = "unavailable"


def output(*words):
    try:
        return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=30, check=True).stdout.decode(errors="replace")
    except (OSError, subprocess.SubprocessError):
        return ""


def gpus():
    rows = [line.split(", ") for line in output("nvidia-smi", "--query-gpu=name,driver_version,memory.total", "--format=csv,noheader").splitlines()]
    found = [{"name": row[0], "driver": row[1], "memory": row[2]} for row in rows if len(row) == 3]
    return {"available": bool(found), "driver": found[0]["driver"] if found else UNAVAILABLE, "gpus": found}


def distributions():
    packages = {}
    for each in importlib.metadata.distributions():
        name = each.metadata["Name"]
        if name:
            packages[name] = each.version
    return packages


def nccl(packages):
    """As PyTorch writes it, "(2, 28, 9)": of the package that it loads, else of the machine's library."""
    for name, version in packages.items():
        if name.lower().replace("_", "-").startswith("nvidia-nccl-cu"):
            return "(" + ", ".join(version.split(".")[:3]) + ")"
    try:
        import ctypes  # not every Python has it, and without it all else is still told

        found = ctypes.c_int()
        if ctypes.CDLL("libnccl.so.2").ncclGetVersion(ctypes.byref(found)) != 0:
            return UNAVAILABLE
    except (ImportError, OSError, AttributeError):
        return UNAVAILABLE
    # 2.28.9 is 22809; before 2.9 a version was written with one digit less for the minor.
    scale = 10000 if found.value >= 10000 else 1000
    return f"({found.value // scale}, {found.value % scale // 100}, {found.value % 100})"


def cpu():
    model = UNAVAILABLE
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            for line in file:
                if line.startswith(("model name", "Model", "CPU part")):
                    model = line.split(":", 1)[1].strip()
                    break
    except OSError:
        pass
    usable = sorted(os.sched_getaffinity(0))
    return {"model": model, "logical_cpus": os.cpu_count(), "affinity_cpus": len(usable), "affinity_list": ",".join(map(str, usable))}


def main():
    packages = distributions()
    frameworks = {key: packages[name] for key, name in (("vllm", "vllm"), ("sglang", "sglang"), ("tensorrt_llm", "tensorrt_llm"),
                                                       ("tensorrt_llm", "tensorrt-llm"), ("dynamo", "ai-dynamo")) if name in packages}
    toolkit = [line for line in output("nvcc", "--version").splitlines() if "release" in line]
    env = {name: "***REDACTED***" if SECRET.search(name) else value for name, value in sorted(os.environ.items()) if name.startswith(KNOWN)}
    print(json.dumps({
        "hostname": socket.gethostname(),
        "timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "arch": platform.machine(),
        "os": platform.platform(),
        "cpu": cpu(),
        "gpu": gpus(),
        "python_version": platform.python_version(),
        "cuda_version": toolkit[0].strip() if toolkit else UNAVAILABLE,
        "nccl_version": nccl(packages),
        "frameworks": frameworks,
        "env": env,
        "pip_packages": {"python3": sorted(f"{name}=={version}" for name, version in packages.items())},
    }))


if __name__ == "__main__":
    main()
