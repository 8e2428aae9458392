import { measured } from "../harness/child.ts";
import { scalarJob } from "../harness/data.ts";
import { filledCache } from "../harness/filled.ts";
import { atMost } from "../harness/goals.ts";
import { type Bench, type Figure, type Finding, PRECISIONS, type Precision } from "../harness/types.ts";
import type { CachedFetch, CachedFetchArguments } from "../measured/cachedFetch.ts";
import { startReplay } from "../replay/replay.ts";

async function measureAt(bench: Bench, precision: Precision): Promise<Finding[]> {
  const { path } = await filledCache(bench, precision);
  const replay = await startReplay(bench, precision);
  const spec = scalarJob(10, bench.scale.yearDays);
  const args: CachedFetchArguments = { url: replay.url, folder: bench.folder, cachePath: path, spec };
  try {
    const runs: CachedFetch[] = [];
    for (let run = 0; run < bench.scale.runs; run++) runs.push(await measured<CachedFetch>("cachedFetch.ts", args));
    const states = [...new Set(runs.flatMap((r) => r.states))].join(", ");
    const name = `cached fetch of ten station-years, ${precision.label}`;
    const common = { better: "less" as const, peer: null };
    return [
      {
        ...common,
        name,
        unit: "ms",
        samples: runs.map((r) => r.seconds * 1_000),
        goal: atMost(100, "ms"),
        note: `in a fresh process each time; verdicts: ${states}`,
      },
      {
        ...common,
        name: `${name}, requests seen by the server`,
        unit: "requests",
        samples: runs.map((r) => r.requests),
        goal: atMost(0, "requests"),
        note: null,
      },
    ];
  } finally {
    await replay.close();
  }
}

export const cached: Figure = {
  name: "cached",
  about: "a fetch of what is in the cache already, through the whole application",
  async *measure(bench) {
    for (const precision of PRECISIONS) yield* await measureAt(bench, precision);
  },
};
