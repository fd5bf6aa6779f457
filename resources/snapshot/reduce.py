#!/usr/bin/env python3
"""Reduces CustomResourceDefinitions of NVIDIA Snapshot to their structure, for latest.json and main-b7e707c.json beside this file.

    python3 reduce.py ORIGIN CRD.yaml... > latest.json

Kept: group, version, names, scope, and of the schema every keyword that decides whether an object is valid. Left out: descriptions,
printer columns, annotations. tests/core/snapshot/crd_test.cpp checks that the result says the same as the files that it was made from.
"""
import json
import sys

import yaml

KEYWORDS = [
    "type", "properties", "required", "items", "additionalProperties", "default", "pattern", "minLength", "maxLength", "minimum",
    "maximum", "minItems", "maxItems", "maxProperties", "enum", "format", "nullable", "x-kubernetes-int-or-string",
    "x-kubernetes-list-type", "x-kubernetes-list-map-keys", "x-kubernetes-preserve-unknown-fields", "x-kubernetes-validations",
]


def schema(node):
    out = {}
    for key in KEYWORDS:
        if key not in node:
            continue
        value = node[key]
        if key == "properties":
            value = {name: schema(child) for name, child in value.items()}
        elif key == "items" or (key == "additionalProperties" and isinstance(value, dict)):
            value = schema(value)
        elif key == "x-kubernetes-validations":
            value = [{k: rule[k] for k in ("rule", "message") if k in rule} for rule in value]
        out[key] = value
    return out


def reduced(crd):
    spec = crd["spec"]
    return {
        "kind": "CustomResourceDefinition",
        "spec": {
            "group": spec["group"],
            "names": {key: spec["names"][key] for key in ("kind", "plural", "shortNames") if key in spec["names"]},
            "scope": spec["scope"],
            "versions": [
                {"name": version["name"], "served": version["served"],
                 "schema": {"openAPIV3Schema": schema(version["schema"]["openAPIV3Schema"])}}
                for version in spec["versions"]
            ],
        },
    }


def main():
    origin, paths = sys.argv[1], sys.argv[2:]
    items = []
    for path in paths:
        with open(path, encoding="utf-8") as file:
            items += [reduced(crd) for crd in yaml.safe_load_all(file)]
    lines = [json.dumps(item, separators=(",", ":"), ensure_ascii=False) for item in items]
    print('{"kind":"List","origin":' + json.dumps(origin) + ',"items":[\n' + ",\n".join(lines) + "\n]}")


main()
