import { BandRegistry } from "#shared/satellites/cn0.ts";
import type { SatelliteNumbers } from "#shared/satellites/values.ts";
import { SatelliteReader } from "#shared/satellites/numbers.ts";
import { listProblems } from "#shared/satellites/problems.ts";
import type { SatelliteEpochs } from "#shared/bridge/methods/series.ts";
import type { SeriesMode } from "#shared/series/rows.ts";
import { SATELLITE_VARIABLES } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import type { Pace } from "../pace.ts";
import type { CacheReader } from "../../store/index.ts";

/** Limit of a 16-bit index. More identifiers cannot be satellites. */
const MAX_SATELLITES = 65_535;

const TOO_MANY_SATELLITES = "satellites beyond the first 65,535 identifiers, left out";

/** Reads the satellites of one station as numbers. Unreadable data is left out, counted, and described. */
export async function readSatellites(
  cache: CacheReader,
  { stationId, range, mode }: { readonly stationId: string; readonly range: TimeRange; readonly mode: SeriesMode },
  pace: Pace,
): Promise<SatelliteEpochs> {
  const bands = new BandRegistry();
  const reader = new SatelliteReader(bands);
  const blocks: SatelliteNumbers[] = [];
  for (const block of cache.satellites({ stationId, variables: SATELLITE_VARIABLES, range, ...mode })) {
    blocks.push(reader.read(block));
    await pace.yieldIfDue();
  }
  const problems = listProblems(reader.problems).map(({ problem, count }) => ({ problem, count }));
  const { leftOut, ...joined } = concat(blocks, bands.names);
  return {
    ...joined,
    problems: leftOut > 0 ? [...problems, { problem: TOO_MANY_SATELLITES, count: leftOut }] : problems,
  };
}

/** Concatenates blocks into arrays with buffers of their own, which can be transferred. */
function concat(
  blocks: readonly SatelliteNumbers[],
  bands: readonly string[],
): Omit<SatelliteEpochs, "problems"> & { readonly leftOut: number } {
  const epochs = blocks.reduce((sum, { timesMs }) => sum + timesMs.length, 0);
  const capacity = blocks.reduce((sum, { prn }) => sum + prn.length, 0);
  const timesMs = new Float64Array(epochs);
  const offsets = new Uint32Array(epochs + 1);
  const prn = new Uint16Array(capacity);
  const emptyColumn = () => new Float64Array(capacity).fill(Number.NaN);
  const elevationDeg = emptyColumn();
  const azimuthDeg = emptyColumn();
  const bandColumns = bands.map((name) => ({ name, cn0DbHz: emptyColumn() }));
  const indexOf = new Map<string, number>();
  const indexFor = (name: string): number => {
    const known = indexOf.get(name);
    if (known !== undefined) return known;
    if (indexOf.size === MAX_SATELLITES) return -1;
    indexOf.set(name, indexOf.size);
    return indexOf.size - 1;
  };
  let epoch = 0;
  let entries = 0;
  for (const block of blocks) {
    const indices = block.prns.map(indexFor);
    // An earlier block may have fewer bands than the last one.
    const columns = [
      { from: block.elevationDeg, to: elevationDeg },
      { from: block.azimuthDeg, to: azimuthDeg },
      ...bandColumns.flatMap(({ cn0DbHz: to }, band) => {
        const from = block.cn0DbHz[band];
        return from ? [{ from, to }] : [];
      }),
    ];
    timesMs.set(block.timesMs, epoch);
    if (!indices.includes(-1)) {
      for (let i = 0; i < block.prn.length; i++) prn[entries + i] = indices[block.prn[i]!]!;
      for (const { from, to } of columns) to.set(from, entries);
      for (let row = 0; row < block.timesMs.length; row++) offsets[++epoch] = entries + block.offsets[row + 1]!;
      entries += block.prn.length;
      continue;
    }
    for (let row = 0; row < block.timesMs.length; row++) {
      for (let i = block.offsets[row]!; i < block.offsets[row + 1]!; i++) {
        const index = indices[block.prn[i]!]!;
        if (index < 0) continue;
        prn[entries] = index;
        for (const { from, to } of columns) to[entries] = from[i]!;
        entries++;
      }
      offsets[++epoch] = entries;
    }
  }
  return {
    timesMs,
    offsets,
    prns: [...indexOf.keys()],
    prn: trimmed(prn, entries),
    elevationDeg: trimmed(elevationDeg, entries),
    azimuthDeg: trimmed(azimuthDeg, entries),
    bands: bandColumns.map(({ name, cn0DbHz }) => ({ name, cn0DbHz: trimmed(cn0DbHz, entries) })),
    leftOut: capacity - entries,
  };
}

function trimmed<T extends Float64Array | Uint16Array>(array: T, length: number): T {
  return length === array.length ? array : (array.slice(0, length) as T);
}
