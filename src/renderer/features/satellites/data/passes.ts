import { HOUR_MS, MINUTE_MS } from "#shared/time/utc.ts";
import { passes as isShown, type Sky, type SkyFilter } from "./sky.ts";

/** A satellite that is lost for longer, while the station tracks others, has set. */
const LOST_MS = 30 * MINUTE_MS;
/** Without any observation of the station for longer, a satellite may have set and risen again. */
const OUTAGE_MS = 6 * HOUR_MS;

/** From rising to setting of a satellite, as it was tracked above the cut-off. */
export interface Pass {
  readonly riseMs: number;
  readonly setMs: number;
  /** Whether the satellite may have been in view before, or be afterwards: the observations begin or end within the pass. */
  readonly isCut: { readonly atRise: boolean; readonly atSet: boolean };
  /** Epochs with the satellite, and those of the station in this time. */
  readonly tracked: number;
  readonly expected: number;
}

export interface SatellitePasses {
  readonly prn: string;
  /** Index into `CONSTELLATIONS`. */
  readonly constellation: number;
  /** In time order. */
  readonly passes: readonly Pass[];
}

/** The passes of each satellite that has any, by identifier. Rows of the station without satellites are not epochs. */
export function passesOf(sky: Sky, filter: SkyFilter): SatellitePasses[] {
  const { timesMs, offsets, prns, prn, stepMs } = sky;
  const found = prns.map((): Open[] => []);
  /** Number of epochs with any satellite so far. */
  let observed = 0;
  let lastObservedMs = Number.NEGATIVE_INFINITY;
  /** First and last epochs of the time that the station observed without a break. */
  const edges = { starts: new Set<number>(), ends: new Set<number>() };
  for (let epoch = 0; epoch < timesMs.length; epoch++) {
    const [start, end] = [offsets[epoch]!, offsets[epoch + 1]!];
    if (start === end) continue;
    observed++;
    const timeMs = timesMs[epoch]!;
    if (timeMs - lastObservedMs > LOST_MS) {
      edges.starts.add(timeMs);
      edges.ends.add(lastObservedMs);
    }
    lastObservedMs = timeMs;
    for (let i = start; i < end; i++) {
      if (isShown(sky, filter, i)) addEpoch(found[prn[i]!]!, timeMs, observed, stepMs);
    }
  }
  edges.ends.add(lastObservedMs);
  return prns
    .flatMap((name, k) => {
      const own = found[k] ?? [];
      const passes = own.map(({ riseMs, setMs, tracked, first, last }): Pass => ({
        riseMs,
        setMs,
        isCut: { atRise: edges.starts.has(riseMs), atSet: edges.ends.has(setMs) },
        tracked,
        expected: last - first + 1,
      }));
      return passes.length === 0 ? [] : [{ prn: name, constellation: sky.constellation[k]!, passes }];
    })
    .toSorted((a, b) => (a.prn < b.prn ? -1 : 1));
}

/** A pass while it is collected; `first` and `last` are numbers of epochs of the station. */
interface Open {
  readonly riseMs: number;
  setMs: number;
  tracked: number;
  readonly first: number;
  last: number;
}

function addEpoch(passes: Open[], timeMs: number, observed: number, stepMs: number): void {
  const open = passes.at(-1);
  const isSame =
    open !== undefined && (observed - open.last - 1) * stepMs <= LOST_MS && timeMs - open.setMs <= OUTAGE_MS;
  if (!isSame) return void passes.push({ riseMs: timeMs, setMs: timeMs, tracked: 1, first: observed, last: observed });
  open.setMs = timeMs;
  open.tracked++;
  open.last = observed;
}

/** The pass at a moment, or the last one before it, or the first one after it. */
export function passAt({ passes }: SatellitePasses, momentMs: number): Pass | null {
  return passes.findLast(({ riseMs }) => riseMs <= momentMs) ?? passes[0] ?? null;
}

/** Share of the epochs of the station, from rising to setting, in which the satellite was tracked; over all passes. */
export function completenessOf({ passes }: SatellitePasses): number {
  const sum = (of: (pass: Pass) => number): number => passes.reduce((total, pass) => total + of(pass), 0);
  return sum(({ tracked }) => tracked) / sum(({ expected }) => expected);
}
