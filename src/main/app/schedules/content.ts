import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import type { JobSpec } from "#shared/job/job.ts";
import { withImpliedVariables } from "#shared/service/variables.ts";
import type { OpenConnection } from "../connections/connections.ts";
import { createPace } from "../pace.ts";

/** Returns a number that differs once the cache has other rows of downloads, or has deleted some; reads no values. */
export function markOf({ cache }: OpenConnection, specs: readonly JobSpec[]): number {
  return crc32(
    specs
      .flatMap(({ stationIds, variables, range, intervalSeconds, raw }) =>
        stationIds.map((stationId) =>
          cache.mark({ stationId, variables: withImpliedVariables(variables), range, intervalSeconds, raw }),
        ),
      )
      .join(),
  );
}

/**
 * Returns a checksum of the cached rows of downloads: files that were written from the same rows need not be written
 * again. Rows that arrive prove nothing, because many of them are cached already.
 *
 * @throws the signal's reason, StoreError
 */
export async function checksumOf(
  { cache }: OpenConnection,
  specs: readonly JobSpec[],
  signal: AbortSignal,
): Promise<string> {
  const hash = createHash("sha256");
  const pace = createPace(signal);
  for (const { stationIds, variables, range, intervalSeconds, raw } of specs)
    for (const stationId of stationIds) {
      hash.update(stationId);
      const selection = { stationId, variables: withImpliedVariables(variables), range, intervalSeconds, raw };
      for (const { timesMs, columns } of cache.reusedBlocks(selection)) {
        hash.update(timesMs);
        for (const [variable, { values }] of Object.entries(columns))
          hash.update(variable).update(values instanceof Float64Array ? values : JSON.stringify(values));
        await pace.yieldIfDue();
      }
    }
  return hash.digest("hex");
}
