import { companion } from "../harness/child.ts";
import { scalarJob } from "../harness/data.ts";
import { atLeast } from "../harness/goals.ts";
import { queriesOf } from "../harness/queries.ts";
import { timed } from "../harness/report.ts";
import { type Bench, type Figure, type Finding, PRECISIONS, type Precision } from "../harness/types.ts";
import { drain } from "../replay/record.ts";
import type { ReplayHello } from "../replay/replay.ts";

async function measureAt(bench: Bench, precision: Precision): Promise<Finding[]> {
  const [query] = queriesOf(scalarJob(10, bench.scale.millionDays));
  const service = await companion<ReplayHello>("replay/service.ts", { decimals: precision.decimals });
  try {
    const byClock: number[] = [];
    const byProcessor: number[] = [];
    for (let run = 0; run < bench.scale.runs; run++) {
      const before = await service.ask<number>("cpu");
      const { seconds, value: rows } = await timed(() => drain(service.hello.url, query!));
      byClock.push(rows / seconds);
      byProcessor.push(rows / ((await service.ask<number>("cpu")) - before));
    }
    const common = { unit: "rows/s", better: "more" as const, peer: null, note: null };
    const name = `service, JSON of three variables, ${precision.label}`;
    const goal = atLeast(300_000, "rows/s");
    return [
      { ...common, name, samples: byClock, goal },
      { ...common, name: `${name}, per second of processor time`, samples: byProcessor, goal },
    ];
  } finally {
    await service.close();
  }
}

export const service: Figure = {
  name: "service",
  about: "how fast the reference service answers, over HTTP, in one process",
  async *measure(bench) {
    for (const precision of PRECISIONS) yield* await measureAt(bench, precision);
  },
};
