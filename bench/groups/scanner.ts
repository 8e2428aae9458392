import { join } from "node:path";
import { measured } from "../harness/child.ts";
import { scalarJob } from "../harness/data.ts";
import { withFolder } from "../harness/folder.ts";
import { queriesOf } from "../harness/queries.ts";
import { type Bench, type Figure, type Finding, PRECISIONS, type Precision } from "../harness/types.ts";
import type { ScanArguments, Scanned } from "../measured/scan.ts";
import { download } from "../replay/record.ts";
import { startReplay } from "../replay/replay.ts";

async function measureAt(bench: Bench, precision: Precision, folder: string): Promise<Finding[]> {
  const spec = scalarJob(10, bench.scale.millionDays);
  const path = join(folder, "body.json");
  const replay = await startReplay(bench, precision);
  await download(replay.url, queriesOf(spec)[0]!, path);
  await replay.close();
  const args: ScanArguments = { path, variables: spec.variables };
  const runs: Scanned[] = [];
  for (let run = 0; run < bench.scale.runs; run++) runs.push(await measured<Scanned>("scan.ts", args));
  const common = { better: "more" as const, peer: null, goal: null };
  const [first] = runs;
  const note = `a body of ${Math.round(first!.bytes / first!.rows)} bytes per row`;
  const name = `scanner alone, 1 M rows, ${precision.label}`;
  return [
    { ...common, name, unit: "rows/s", samples: runs.map((r) => r.rows / r.seconds), note },
    { ...common, name, unit: "MB/s", samples: runs.map((r) => r.bytes / 1e6 / r.seconds), note },
  ];
}

export const scanner: Figure = {
  name: "scanner",
  about: "the scanner alone, from bytes in memory to arrays",
  async *measure(bench) {
    for (const precision of PRECISIONS) {
      yield* await withFolder(bench.folder, (folder) => measureAt(bench, precision, folder));
    }
  },
};
