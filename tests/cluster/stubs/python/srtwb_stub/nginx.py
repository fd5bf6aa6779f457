"""Stands in for nginx: passes requests on to the servers of its configuration."""

import itertools
import re

from srtwb_stub import option, request, serve

with open(option("-c"), encoding="utf-8") as file:
    text = file.read()
servers = re.findall(r"^\s*server ([0-9.:]+);", text, re.MULTILINE)
port = int(re.search(r"listen ([0-9]+);", text).group(1))
turn = itertools.count()


def answer(method, path, body):
    status, data = request(f"http://{servers[next(turn) % len(servers)]}{path}", method, body)
    return status, data


serve(port, answer)
