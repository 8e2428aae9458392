import { measured } from "../harness/child.ts";
import { scalarJob } from "../harness/data.ts";
import { filledCache } from "../harness/filled.ts";
import { atMost } from "../harness/goals.ts";
import { type Figure, PRECISIONS } from "../harness/types.ts";
import type { CompareArguments, CompareTimes } from "../measured/compare.ts";

export const compare: Figure = {
  name: "compare",
  about: "two station-years beside each other, from the cache",
  async *measure(bench) {
    const spec = scalarJob(10, bench.scale.yearDays);
    const common = { unit: "ms", better: "less" as const, peer: null, note: null };
    for (const precision of PRECISIONS) {
      const { path } = await filledCache(bench, precision);
      const args: CompareArguments = { cachePath: path, spec, runs: Math.max(bench.scale.runs, 3) };
      const times = await measured<CompareTimes>("compare.ts", args);
      const name = `compare of two station-years, ${precision.label}`;
      yield { ...common, name, samples: times.pair, goal: atMost(150, "ms") };
      yield { ...common, name: `${name}, all marks on`, samples: times.marked, goal: null };
    }
  },
};
