// Fills a cache straight from the simulated world, and tells how fast the store took it and how large it became.
import { statSync } from "node:fs";
import type { JobSpec } from "#shared/job/job.ts";
import { report, timed } from "../harness/report.ts";
import { worldRows } from "../harness/worldRows.ts";
import { connect } from "./connect.ts";

export interface FillArguments {
  readonly url: string;
  readonly cachePath: string;
  readonly spec: JobSpec;
  readonly decimals: number | null;
}

export interface Filled {
  readonly rows: number;
  readonly bytes: number;
  /** Of each station. */
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
      const answer = cache.openResponse({ ...spec, stationIds: [stationId] });
      for (const block of blocks) answer.add(block);
      return answer.commit({ fetchedAtMs: Date.now(), finalUntilMs: () => spec.range.endMs });
    });
    rows += value.rows;
    rowsPerSecond.push(value.rows / seconds);
  }
  await connected.close();
  return { rows, bytes: statSync(cachePath).size, rowsPerSecond };
});
