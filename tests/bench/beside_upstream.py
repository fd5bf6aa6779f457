#!/usr/bin/env python3
"""Times upstream's validation of a folder of recipes and `srtwb check` of the same files, in one run.

    beside_upstream.py --upstream FOLDER --srtwb PROGRAM [--cluster FILE] [--runs N] RECIPES...

FOLDER is a checkout of srt-slurm of schema 1, whose `validate_config_file` is called in this process for each file (its Python packages must
be there; start-up and imports are not counted). `srtwb check --json` runs as a program, start included. Prints the medians and their ratio;
the exit code is 1 when the two disagree on how many recipes are valid or the ratio is below 200, the budget of the product.
"""
import argparse
import json
import logging
import os
import pathlib
import statistics
import subprocess
import sys
import time

BUDGET = 200


def seconds(work):
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--upstream", required=True)
    parser.add_argument("--srtwb", required=True)
    parser.add_argument("--cluster")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("recipes", nargs="+")
    options = parser.parse_args()

    sys.path.insert(0, str(pathlib.Path(options.upstream) / "src"))
    logging.disable(logging.CRITICAL)
    os.environ.pop("SRTSLURM_CONFIG", None)
    if options.cluster:
        os.environ["SRTSLURM_CONFIG"] = options.cluster
    from srtctl.core.config import validate_config_file

    files = sorted(path for folder in options.recipes for path in pathlib.Path(folder).rglob("*") if path.suffix in (".yaml", ".yml"))

    def upstream():
        return sum(1 for path in files if not validate_config_file(path))

    command = [options.srtwb, "check", "--json"]
    if options.cluster:
        command += ["--cluster", options.cluster]
    command += options.recipes

    def ours():
        done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
        return sum(1 for file in json.loads(done.stdout)["files"] if file["valid"])

    def plain():
        subprocess.run(command, stdout=subprocess.DEVNULL, check=False)

    valid_ours = ours()
    times_of_upstream = []
    times_of_ours = []
    for _ in range(options.runs):  # side by side, so that a busy moment strikes both
        for _ in range(5):
            times_of_ours.append(seconds(plain)[0])
        took, valid_upstream = seconds(upstream)
        times_of_upstream.append(took)
    theirs = statistics.median(times_of_upstream)
    mine = statistics.median(times_of_ours)
    print(f"{len(files)} files; valid: upstream {valid_upstream}, srtwb {valid_ours}")
    print(f"upstream {theirs:.3f} s (median of {len(times_of_upstream)}), srtwb {mine * 1000:.1f} ms (median of {len(times_of_ours)})")
    print(f"ratio {theirs / mine:.0f}, budget {BUDGET}")
    return 0 if valid_upstream == valid_ours and theirs / mine >= BUDGET else 1


if __name__ == "__main__":
    sys.exit(main())
