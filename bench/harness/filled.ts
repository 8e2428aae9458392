import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Filled } from "../measured/fill.ts";
import { startReplay } from "../replay/replay.ts";
import { measured } from "./child.ts";
import { scalarJob } from "./data.ts";
import type { Bench, Precision } from "./types.ts";

export interface FilledCache {
  readonly path: string;
  /** null if an earlier figure of this run filled it. */
  readonly filled: Filled | null;
}

/** A cache of ten station-years of this precision, filled once per run, directly from the simulated world. */
export async function filledCache(bench: Bench, precision: Precision): Promise<FilledCache> {
  const path = join(bench.folder, `cache-${precision.decimals ?? "full"}.db`);
  if (existsSync(path)) return { path, filled: null };
  bench.say(`${precision.label}: filling a cache with ten station-years …`);
  const replay = await startReplay(bench, precision);
  const spec = scalarJob(10, bench.scale.yearDays);
  const args = { url: replay.url, cachePath: path, spec, decimals: precision.decimals };
  try {
    return { path, filled: await measured<Filled>("fill.ts", args) };
  } finally {
    await replay.close();
  }
}
