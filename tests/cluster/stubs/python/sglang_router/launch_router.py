import itertools
import sys

from srtwb_stub import alive, models, option, request, serve


def words_after(flag):
    """The values of a flag that may stand often, and take several words."""
    out = []
    for at, word in enumerate(sys.argv):
        if word == flag:
            for value in sys.argv[at + 1:]:
                if value.startswith("--"):
                    break
                if value.startswith("http"):
                    out.append(value)
    return out


prefill, decode, regular = words_after("--prefill"), words_after("--decode"), words_after("--worker-urls")
turn = itertools.count()


def answer(method, path, body):
    if path == "/workers":
        count = lambda urls: sum(alive(url + "/health") for url in urls)
        return {"workers": [], "total": len(prefill + decode + regular),
                "stats": {"prefill_count": count(prefill), "decode_count": count(decode), "regular_count": count(regular)}}
    if path == "/v1/models":
        return models("stub")
    urls = decode or regular
    status, data = request(urls[next(turn) % len(urls)] + path, method, body)
    return status, data


serve(int(option("--port")), answer)
