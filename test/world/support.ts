import type { BlockRequest, Quality, World, WorldStation } from "#service/world/types.ts";
import { QUALITY } from "#service/world/types.ts";

/** A time after all observations of the tests. */
export const LATE = Date.UTC(2026, 10, 1);

/** One epoch, copied from its block. */
export interface Row {
  readonly timeMs: number;
  readonly quality: Quality;
  readonly ztd: number;
  readonly sigma: number;
  readonly pwv: number;
  readonly texts: readonly (string | null)[];
}

export function rowsOf(
  world: World,
  station: WorldStation,
  request: Partial<BlockRequest> & Pick<BlockRequest, "startMs" | "endMs">,
  blockRows?: number,
): Row[] {
  const rows: Row[] = [];
  const full: BlockRequest = { nowMs: LATE, satellites: false, decimals: null, ...request };
  for (const block of world.epochs(station, full, blockRows)) {
    for (let i = 0; i < block.count; i++) {
      rows.push({
        timeMs: block.timesMs[i]!,
        quality: QUALITY[block.quality[i]!]!,
        ztd: block.columns.ztd[i]!,
        sigma: block.columns.ztd_sigma[i]!,
        pwv: block.columns.pwv[i]!,
        texts: [block.columns.prn[i]!, block.columns.el[i]!, block.columns.az[i]!, block.columns.snr[i]!],
      });
    }
  }
  return rows;
}

/** The last epoch that `epochs` returns, found by reading all. */
export function lastSeen(world: World, station: WorldStation, startMs: number, nowMs: number): number | null {
  let last: number | null = null;
  const request: BlockRequest = { startMs, endMs: nowMs + 3_600_000, nowMs, satellites: false, decimals: null };
  for (const block of world.epochs(station, request)) last = block.timesMs[block.count - 1] ?? null;
  return last;
}

export function named(world: World, mountpoint: string): WorldStation {
  const station = world.stations.find((s) => s.mountpoint === mountpoint);
  if (!station) throw new Error(`no station ${mountpoint}`);
  return station;
}
