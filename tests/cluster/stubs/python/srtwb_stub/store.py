"""Stands in for etcd and nats: keeps what workers report."""

import sys

from srtwb_stub import serve

instances = {}


def answer(method, path, body):
    if method == "PUT":
        instances[body["address"]] = body
    return list(instances.values())


serve(int(sys.argv[1]), answer, "0.0.0.0")
