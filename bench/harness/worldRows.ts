import { createWorld } from "#service/world/index.ts";
import type { ReceivedRows } from "#shared/series/rows.ts";
import type { JobSpec } from "#shared/job/job.ts";

const world = createWorld();

/**
 * The measurements of one station of the simulated world, as filtered rows in blocks, as from the service. Bad epochs are
 * omitted as the service omits them.
 */
export function* worldRows(
  stationId: string,
  { range, variables }: Pick<JobSpec, "range" | "variables">,
  decimals: number | null,
): IterableIterator<ReceivedRows> {
  const station = world.station(stationId)!;
  const satellites = variables.includes("prn");
  for (const block of world.epochs(station, { ...range, nowMs: Date.now(), satellites, decimals })) {
    const good = [...block.quality.subarray(0, block.count).keys()].filter((row) => block.quality[row] === 0);
    const numbers = (from: Float64Array): Float64Array => Float64Array.from(good, (row) => from[row]!);
    const texts = (from: readonly (string | null)[]): (string | null)[] => good.map((row) => from[row] ?? null);
    yield {
      stationId,
      timesMs: numbers(block.timesMs),
      scalars: satellites
        ? {}
        : {
            ztd: numbers(block.columns.ztd),
            ztd_sigma: numbers(block.columns.ztd_sigma),
            pwv: numbers(block.columns.pwv),
          },
      texts: satellites
        ? {
            prn: texts(block.columns.prn),
            el: texts(block.columns.el),
            az: texts(block.columns.az),
            snr: texts(block.columns.snr),
          }
        : {},
    };
  }
}
