import itertools
import json
import os

from srtwb_stub import models, option, request, serve

turn = itertools.count()


def instances():
    return json.loads(request(os.environ["ETCD_ENDPOINTS"] + "/instances")[1])


def answer(method, path, body):
    known = instances()
    if path == "/health":
        return {"status": "healthy", "endpoints": ["dyn://dynamo.backend.generate"], "instances": [
            {"component": each["component"], "endpoint": each["endpoint"], "namespace": "dynamo", "instance_id": number,
             "transport": {"tcp": each["address"]}} for number, each in enumerate(known)]}
    if path == "/v1/models":
        return models(known[0]["model"] if known else "none")
    serving = [each for each in known if each["component"] != "prefill"]
    if not serving:
        return 503, b"no worker"
    status, data = request(f"http://{serving[next(turn) % len(serving)]['address']}{path}", method, body)
    return status, data


serve(int(option("--http-port")), answer)
