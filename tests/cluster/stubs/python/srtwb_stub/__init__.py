"""Stubs of engines, routers and clients for tests of the launcher: they speak as much HTTP as it takes, and compute nothing.

Faults on order, by environment variables: STUB_NEVER_SERVED (workers do not report), STUB_WORKER_DIES (seconds until a worker ends),
STUB_CLIENT_FAILS (exit code of the client), STUB_CLIENT_SECONDS (how long the client takes besides).
"""

import http.client
import http.server
import json
import os
import re
import sys
import threading
import time
from urllib.parse import urlsplit

TOKENS = 8


def address():
    return f"127.77.{os.environ.get('STUB_NET', '1')}.{re.sub('[^0-9]', '', os.environ.get('SLURMD_NODENAME', 'node1'))}"


def option(name, default=None):
    """The last value of a flag of this process's command line."""
    value = default
    for at, word in enumerate(sys.argv):
        if word == name and at + 1 < len(sys.argv):
            value = sys.argv[at + 1]
        elif word.startswith(name + "="):
            value = word[len(name) + 1:]
    return value


def request(url, method="GET", body=None):
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=30)
    try:
        connection.request(method, parts.path or "/", None if body is None else json.dumps(body), {"Content-Type": "application/json"})
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def alive(url):
    try:
        return request(url)[0] == 200
    except OSError:
        return False


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 512


def serve(port, answer, host=None):
    """Serves for ever: answer(method, path, body) gives a value for JSON, or (status, bytes)."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def handle_any(self):
            length = int(self.headers.get("Content-Length") or 0)
            body = json.loads(self.rfile.read(length)) if length else None
            try:
                value = answer(self.command, self.path, body)
            except OSError as error:
                value = (502, str(error).encode())
            status, data = value if isinstance(value, tuple) else (200, json.dumps(value).encode())
            self.send_response(status)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_POST = do_PUT = handle_any

        def log_message(self, *_):
            pass

    server = Server((host or address(), port), Handler)
    print(f"stub {sys.argv[0]} serves {host or address()}:{port}", flush=True)
    server.serve_forever()


def completion(model):
    time.sleep(0.005)
    return {"object": "text_completion", "model": model, "choices": [{"index": 0, "text": " stub" * TOKENS, "finish_reason": "length"}],
            "usage": {"prompt_tokens": 16, "completion_tokens": TOKENS}}


def models(name):
    return {"object": "list", "data": [{"id": name, "object": "model"}]}


def may_die():
    after = os.environ.get("STUB_WORKER_DIES")
    if after:
        threading.Timer(float(after), lambda: (print("stub worker ends on order", flush=True), os._exit(7))).start()


def idle():
    while True:
        time.sleep(3600)


def dynamo_worker():
    """A worker that reports to the stub of etcd and answers on its system port."""
    may_die()
    mode = option("--disaggregation-mode", "agg")
    model = option("--served-model-name") or os.path.basename(option("--model-path") or option("--model"))
    if int(option("--node-rank", "0")) > 0 or "STUB_NEVER_SERVED" in os.environ:
        idle()
    port = int(os.environ["DYN_SYSTEM_PORT"])
    me = {"component": "prefill" if mode == "prefill" else "backend", "endpoint": "generate", "address": f"{address()}:{port}", "model": model}
    threading.Thread(target=report, args=(me,), daemon=True).start()
    serve(port, lambda method, path, body: completion(model) if method == "POST" else {"status": "healthy"})


def report(me):
    while True:
        try:
            request(os.environ["ETCD_ENDPOINTS"] + "/instances", "PUT", me)
            return
        except OSError:
            time.sleep(0.2)


def server_worker(port):
    """A server of its own, as behind SGLang's router or alone."""
    may_die()
    model = option("--served-model-name") or os.path.basename(option("--model-path") or "stub")
    if int(option("--node-rank", "0")) > 0:
        idle()
    if "STUB_NEVER_SERVED" in os.environ:
        idle()

    def answer(method, path, body):
        if method == "POST":
            return completion(model)
        return models(model) if path == "/v1/models" else {"status": "healthy"}

    serve(port, answer)


def load(url, model, prompts, concurrency):
    """Sends the prompts and gives (seconds, latencies in seconds)."""
    latencies = []
    lock = threading.Lock()
    left = [prompts]

    def one():
        while True:
            with lock:
                if left[0] == 0:
                    return
                left[0] -= 1
            begun = time.monotonic()
            status, _ = request(url + "/v1/completions", "POST", {"model": model, "prompt": "stub", "max_tokens": TOKENS})
            if status == 200:
                with lock:
                    latencies.append(time.monotonic() - begun)

    begun = time.monotonic()
    threads = [threading.Thread(target=one) for _ in range(concurrency)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    time.sleep(float(os.environ.get("STUB_CLIENT_SECONDS", "0")))
    if "STUB_CLIENT_FAILS" in os.environ:
        print("stub client fails on order", flush=True)
        sys.exit(int(os.environ["STUB_CLIENT_FAILS"]))
    return time.monotonic() - begun, latencies


def figures(seconds, latencies, e2e):
    """What the clients of both engines call alike."""
    milliseconds = sorted(1000 * each for each in latencies) or [0.0]
    at = lambda share: milliseconds[min(len(milliseconds) - 1, int(share * len(milliseconds)))]
    out = {"duration": seconds, "completed": len(latencies), "total_input_tokens": 16 * len(latencies),
           "total_output_tokens": TOKENS * len(latencies), "request_throughput": len(latencies) / seconds,
           "output_throughput": TOKENS * len(latencies) / seconds}
    for name, share in (("ttft", 0.5), ("tpot", 0.5 / (TOKENS - 1)), ("itl", 0.5 / (TOKENS - 1)), (e2e, 1.0)):
        out |= {f"mean_{name}_ms": share * sum(milliseconds) / len(milliseconds), f"median_{name}_ms": share * at(0.5),
                f"p99_{name}_ms": share * at(0.99), f"std_{name}_ms": 0.0}
    return out
