import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { differenceStatistics } from "#main/analysis/compare/differences.ts";
import { joinNearest } from "#main/analysis/compare/join.ts";
import { meansOf } from "#main/analysis/compare/means.ts";
import { boxOf, ratePerHour } from "#main/analysis/compare/shapes.ts";
import { findLag } from "#main/analysis/compare/lag.ts";
import type { ComparedSeries } from "#main/analysis/compare/series.ts";

const PYTHON = ["/usr/bin/python3", "/usr/local/bin/python3"].find((path) => existsSync(path));
const SKIP_REASON = reasonToSkip();

function reasonToSkip(): string | null {
  if (!PYTHON) return "no python3";
  const { status } = spawnSync(PYTHON, ["-c", "import numpy, pandas"]);
  return status === 0 ? null : "python3 has no numpy and pandas";
}

const SCRIPT = `
import json, sys
import numpy as np, pandas as pd
given = json.load(sys.stdin)
a, b = (pd.Series(s["values"], index=pd.to_datetime(s["timesMs"], unit="ms", utc=True)) for s in given)
both = pd.concat({"a": a, "b": b}, axis=1, join="inner")
d = both["a"] - both["b"]
means = pd.concat({"a": a.resample("5min").mean(), "b": b.resample("5min").mean()}, axis=1).dropna()
lags = {}
ga, gb = a.resample("5min").mean(), b.resample("5min").mean()
for k in range(-72, 73):
    lags[k] = ga.corr(gb.shift(-k))
best = max(lags, key=lambda k: lags[k])
rates = []
for t in a.index[:200:10]:
    w = a[t - pd.Timedelta("30min"): t + pd.Timedelta("30min")]
    rates.append(float(np.polyfit((w.index - t).total_seconds() / 3600, w.to_numpy() - 2400, 1)[0]))
json.dump({
    "n": int(len(d)), "bias": float(d.mean()), "std": float(d.std()), "rms": float(np.sqrt((d ** 2).mean())),
    "correlation": float(both["a"].corr(both["b"])), "meansN": int(len(means)), "meansBias": float((means["a"] - means["b"]).mean()),
    "lag": best * 300, "lagCorrelation": float(lags[best]),
    "box": [float(x) for x in np.percentile(a.to_numpy(), [5, 25, 50, 75, 95])], "rates": rates,
}, sys.stdout)
`;
import { describeUnless } from "../support/needs.ts";

const wave = (minutes: number): number => 2_400 + 15 * Math.sin(minutes / 130) + 6 * Math.sin(minutes / 47 + 2);

describeUnless(SKIP_REASON, "statistics, means, lag, percentiles and rates", () => {
  it("match numpy and pandas", () => {
    const noise = generator(7);
    // Rows of 30 s with different gaps; B lags A by 40 minutes, with a bias and noise.
    const [a, b] = [0, 40].map((delay): ComparedSeries => {
      const indices = Array.from({ length: 8_000 }, (_, i) => i).filter(() => noise() > 0.1);
      return {
        stationId: "s",
        stepMs: 30_000,
        timesMs: Float64Array.from(indices, (i) => Date.UTC(2026, 1, 1) + i * 30_000),
        values: Float64Array.from(indices, (i) => wave(i / 2 - delay) + delay / 7 + noise()),
        flags: null,
      };
    }) as [ComparedSeries, ComparedSeries];
    const input = JSON.stringify([a, b].map((s) => ({ timesMs: [...s.timesMs], values: [...s.values] })));
    const run = spawnSync(PYTHON!, ["-c", SCRIPT], { input, encoding: "utf8", maxBuffer: 1 << 26 });
    expect(run.stderr).toBe("");
    const theirs = JSON.parse(run.stdout) as Record<string, number> & { box: number[]; rates: number[] };

    const joined = joinNearest(a, b, false);
    const ours = differenceStatistics(a.values, b.values, joined.stretches);
    expect(ours.n).toBe(theirs["n"]);
    expect(ours.biasMm).toBeCloseTo(theirs["bias"]!, 9);
    expect(ours.stdMm).toBeCloseTo(theirs["std"]!, 9);
    expect(ours.rmsMm).toBeCloseTo(theirs["rms"]!, 9);
    expect(ours.correlation).toBeCloseTo(theirs["correlation"]!, 9);

    const [meansA, meansB] = [meansOf(a, 300_000), meansOf(b, 300_000)];
    const means = joinNearest(meansA, meansB, false);
    expect(means.n).toBe(theirs["meansN"]!);
    expect(differenceStatistics(meansA.values, meansB.values, means.stretches).biasMm).toBeCloseTo(
      theirs["meansBias"]!,
      9,
    );

    const lag = findLag(a, b, false)!;
    expect(lag.seconds).toBe(theirs["lag"]);
    expect(lag.correlation).toBeCloseTo(theirs["lagCorrelation"]!, 9);

    const { p5, p25, p50, p75, p95 } = boxOf(a.values.slice());
    [p5, p25, p50, p75, p95].forEach((value, i) => expect(value).toBeCloseTo(theirs.box[i]!, 9));
    const rates = ratePerHour(a.timesMs, a.values, 3_600_000);
    theirs.rates.forEach((rate, i) => expect(rates[i * 10]).toBeCloseTo(rate, 6));
  });
});

/** Reproducible, uniformly distributed numbers from 0 to 1. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
