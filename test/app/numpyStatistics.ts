import { writeFileSync } from "node:fs";
import { scratchFolder } from "../support/folder.ts";
import { join } from "node:path";
import type { TestContext } from "vitest";
import type { Pairing } from "#shared/comparison.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { runPython } from "../formats/tools.ts";

interface PlainSeries {
  readonly timesMs: Float64Array;
  readonly values: Float64Array;
  /** 0: moments. */
  readonly cellMs: number;
}

interface Case {
  readonly a: PlainSeries;
  readonly b: PlainSeries;
  readonly pairing: Pairing;
  /** By default everything. */
  readonly range?: TimeRange;
}

/** Statistics of A − B; those of fewer than two pairs are only their number. */
interface Statistics {
  readonly n: number;
  readonly bias: number;
  readonly std: number;
  readonly rms: number;
  readonly r: number;
}

/** The rules of the guide alone. */
const SCRIPT = `
import sys
import numpy as np

def usual_step(t): return np.median(np.diff(t)) if len(t) > 1 else np.inf

def over(s, own, starts, length):
    t, v = np.array(s["t"]), np.array(s["v"])
    if len(t) == 0: return {}
    step = max(usual_step(t), own)
    means = {}
    for start in starts:
        inside = (t >= start) & (t + own <= start + length) & (t < start + length)
        if inside.any() and start > t[0] - step and start + length <= t[-1] + 1.1 * step: means[start] = v[inside].mean()
    return means

def as_series(means): return {"t": sorted(means), "v": [means[t] for t in sorted(means)]}

def within(s, low, high, cell=0):
    return [i for i, t in enumerate(s["t"]) if low <= t and (t + cell <= high if cell else t < high)]

def pairs(a, b, kind, arg, low, high):
    cell_a, cell_b = a["cell"], b["cell"]
    longest = max(cell_a, cell_b)
    if kind == "mean" or cell_a != cell_b:
        if cell_a != cell_b:
            starts = a["t"] if cell_a == longest else b["t"]
            a, b = as_series(over(a, cell_a, starts, longest)), as_series(over(b, cell_b, starts, longest))
        if kind == "mean" and longest < arg:
            starts = sorted(set(int(t // arg) * arg for t in a["t"] + b["t"]))
            a, b = as_series(over(a, longest, starts, arg)), as_series(over(b, longest, starts, arg))
        one, two = dict(zip(a["t"], a["v"])), dict(zip(b["t"], b["v"]))
        whole = max(longest, arg if kind == "mean" else 0)
        return np.array([[one[s], two[s]] for s in sorted(one) if s in two and low <= s and s + whole <= high])
    swapped = len(within(b, low, high)) < len(within(a, low, high))
    base, other = (b, a) if swapped else (a, b)
    t, v = np.array(other["t"]), np.array(other["v"])
    found, used = [], {}
    for at, value in [(base["t"][i], base["v"][i]) for i in within(base, low, high)]:
        if kind == "nearest":
            limit = arg if arg is not None else 1000 if cell_a > 0 else min(usual_step(np.array(a["t"])), usual_step(np.array(b["t"]))) / 2
            k = int(np.argmin(np.abs(t - at)))
            if abs(t[k] - at) > limit: continue
            partner = v[k]
            if k in used and used[k][0] <= abs(t[k] - at): continue
            if k in used: found[used[k][1]] = None
            used[k] = (abs(t[k] - at), len(found))
        else:
            k = int(np.searchsorted(t, at))
            if k == len(t): continue
            if t[k] == at: partner = v[k]
            elif k == 0 or t[k] - t[k - 1] > 2.5 * usual_step(t): continue
            else: partner = np.interp(at, t, v)
        found.append([partner, value] if swapped else [value, partner])
    return np.array([pair for pair in found if pair])

answers = []
for case in json.load(open(PATH)):
    p = pairs(case["a"], case["b"], case["kind"], case["arg"], *(case["range"] or [-np.inf, np.inf]))
    if len(p) < 2: answers.append({"n": len(p)}); continue
    d = p[:, 0] - p[:, 1]
    answers.append({"n": len(d), "bias": d.mean(), "std": d.std(ddof=1), "rms": np.sqrt((d ** 2).mean()), "r": np.corrcoef(p[:, 0], p[:, 1])[0, 1]})
print(json.dumps(answers))
`;

function plain({ timesMs, values, cellMs }: PlainSeries) {
  return { t: [...timesMs], v: [...values], cell: cellMs };
}

/** Pairs two series and computes their statistics with numpy, which knows nothing of this program. */
export function numpyStatistics(context: TestContext, cases: readonly Case[]): readonly Statistics[] {
  const folder = scratchFolder();
  const path = join(folder, "cases.json");
  const asked = cases.map(({ a, b, pairing, range }) => ({
    a: plain(a),
    b: plain(b),
    kind: pairing.kind,
    arg: pairing.kind === "mean" ? pairing.intervalMs : pairing.kind === "nearest" ? pairing.toleranceMs : null,
    range: range ? [range.startMs, range.endMs] : null,
  }));
  writeFileSync(path, JSON.stringify(asked));
  return runPython(context, ["numpy"], `PATH = ${JSON.stringify(path)}\n${SCRIPT}`) as Statistics[];
}
