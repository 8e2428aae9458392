"""Shared code of the peers: requests to the service, and the report to the benchmark."""

import json
import resource
import sys
import time

import pandas as pd
import requests

KEY = {"X-API-Key": "bench-key", "Accept": "application/json"}
ARGUMENTS = json.loads(sys.argv[1])


def fetch(url, queries):
    """The rows of all queries as one table, in the simplest way."""
    frames = []
    for query in queries:
        answer = requests.post(f"{url}/api/v1/measurements/query", json=query, headers=KEY)
        answer.raise_for_status()
        frames.append(pd.DataFrame(answer.json()["data"]))
    frame = frames[0] if len(frames) == 1 else pd.concat(frames, ignore_index=True)
    frame["timestamp"] = pd.to_datetime(frame["timestamp"]).dt.tz_localize(None)
    return frame


def report(seconds, rows):
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    print(json.dumps({"seconds": seconds, "processorSeconds": time.process_time(), "rows": rows, "peakMb": peak_mb}))


def now():
    return time.perf_counter()
