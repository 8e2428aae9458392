// Adds stations to a cache, with a year of 30 s data each. The data of a few simulated stations is used for many ids.
import { statSync } from "node:fs";
import { openCache } from "#main/store/index.ts";
import type { JobSpec } from "#shared/job/job.ts";
import { catalogueOf } from "../desktop/folders.ts";
import { report } from "../harness/report.ts";
import { worldRows } from "../harness/worldRows.ts";
import { settled } from "../../test/support/judge.ts";

export interface FillManyArguments {
  readonly cachePath: string;
  /** The stations whose rows are used. */
  readonly spec: JobSpec;
  /** All ids of the catalogue; the stations from `first` on are filled now. */
  readonly stationIds: readonly string[];
  readonly first: number;
}

/** A few stations are enough: the data of one station does not affect the others. */
const PATTERNS = 3;

await report(({ cachePath, spec, stationIds, first }: FillManyArguments): { readonly bytes: number } => {
  const patterns = spec.stationIds.slice(0, PATTERNS).map((id) => [...worldRows(id, spec, 1)]);
  const cache = openCache(cachePath);
  cache.replaceCatalogue(catalogueOf(stationIds), [], Date.now());
  for (const [i, stationId] of stationIds.entries()) {
    if (i < first) continue;
    const writer = cache.openResponse({ ...spec, stationIds: [stationId] });
    for (const block of patterns[i % PATTERNS] ?? []) writer.add({ ...block, stationId });
    writer.commit(settled(spec.range));
  }
  cache.close();
  return { bytes: statSync(cachePath).size };
});
