// Fills a cache directly from the simulated world, and reports the speed of the store and the size of the cache.
import { statSync } from "node:fs";
import type { JobSpec } from "#shared/job/job.ts";
import { report, timed } from "../harness/report.ts";
import { worldRows } from "../harness/worldRows.ts";
import { connect } from "./connect.ts";
import { settled } from "../../test/support/judge.ts";

export interface FillArguments {
  readonly url: string;
  readonly cachePath: string;
  readonly spec: JobSpec;
  readonly decimals: number | null;
}

export interface Filled {
  readonly rows: number;
  readonly bytes: number;
  /** One value per station. */
  readonly rowsPerSecond: readonly number[];
}

await report(async ({ url, cachePath, spec, decimals }: FillArguments): Promise<Filled> => {
  const connected = await connect(url, cachePath);
  const { cache } = connected;
  const rowsPerSecond: number[] = [];
  let rows = 0;
  for (const stationId of spec.stationIds) {
    const blocks = [...worldRows(stationId, spec, decimals)];
    const { seconds, value } = await timed(() => {
      const writer = cache.openResponse({ ...spec, stationIds: [stationId] });
      for (const block of blocks) writer.add(block);
      return writer.commit(settled(spec.range));
    });
    rows += value.rows;
    rowsPerSecond.push(value.rows / seconds);
  }
  await connected.close();
  return { rows, bytes: statSync(cachePath).size, rowsPerSecond };
});
