import { BandRegistry } from "#shared/satellites/cn0.ts";
import type { SatelliteNumbers } from "#shared/satellites/entries.ts";
import { SatelliteReader } from "#shared/satellites/numbers.ts";
import { SATELLITE_PROBLEMS } from "#shared/satellites/parse.ts";
import type { SatelliteEpochs } from "#shared/bridge/methods/satellites.ts";
import type { SeriesMode } from "#shared/series/rows.ts";
import { SATELLITE_VARIABLES } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import type { CacheReader } from "../../store/types.ts";
import type { Pace } from "./pace.ts";

/** As many as an index of 16 bits can name; a station beyond it sends something else as identifiers. */
const MOST_SATELLITES = 65_535;

const TOO_MANY = "satellites beyond the first 65,535 identifiers, left out";

/** The satellites of one station as numbers; what cannot be read is left out, counted, and told in words. */
export async function readSatellites(
  cache: CacheReader,
  stationId: string,
  range: TimeRange,
  mode: SeriesMode,
  pace: Pace,
): Promise<SatelliteEpochs> {
  const bands = new BandRegistry();
  const reader = new SatelliteReader(bands);
  const blocks: SatelliteNumbers[] = [];
  for (const block of cache.satellites({ stationId, variables: SATELLITE_VARIABLES, range, ...mode })) {
    blocks.push(reader.read(block));
    await pace.breathe();
  }
  const problems = Object.entries(reader.problems).map(([kind, count]) => ({
    problem: SATELLITE_PROBLEMS[kind as keyof typeof SATELLITE_PROBLEMS],
    count,
  }));
  const { leftOut, ...joined } = join(blocks, bands.names);
  return { ...joined, problems: leftOut > 0 ? [...problems, { problem: TOO_MANY, count: leftOut }] : problems };
}

/** Blocks that follow each other, in arrays that are nothing but their values: parts of larger ones could not be moved. */
function join(
  blocks: readonly SatelliteNumbers[],
  bands: readonly string[],
): Omit<SatelliteEpochs, "problems"> & { readonly leftOut: number } {
  const epochs = blocks.reduce((sum, { timesMs }) => sum + timesMs.length, 0);
  const most = blocks.reduce((sum, { prn }) => sum + prn.length, 0);
  const timesMs = new Float64Array(epochs);
  const offsets = new Uint32Array(epochs + 1);
  const prn = new Uint16Array(most);
  const values = Array.from({ length: 2 + bands.length }, () => new Float64Array(most).fill(Number.NaN));
  const indexOf = new Map<string, number>();
  const indexFor = (name: string): number => {
    const known = indexOf.get(name);
    if (known !== undefined) return known;
    if (indexOf.size === MOST_SATELLITES) return -1;
    indexOf.set(name, indexOf.size);
    return indexOf.size - 1;
  };
  let epoch = 0;
  let entries = 0;
  for (const block of blocks) {
    const indices = block.prns.map(indexFor);
    const columns = [block.elevationDeg, block.azimuthDeg, ...block.cn0DbHz];
    timesMs.set(block.timesMs, epoch);
    if (!indices.includes(-1)) {
      for (let i = 0; i < block.prn.length; i++) prn[entries + i] = indices[block.prn[i]!]!;
      columns.forEach((column, c) => values[c]!.set(column, entries));
      for (let row = 0; row < block.timesMs.length; row++) offsets[++epoch] = entries + block.offsets[row + 1]!;
      entries += block.prn.length;
      continue;
    }
    for (let row = 0; row < block.timesMs.length; row++) {
      for (let i = block.offsets[row]!; i < block.offsets[row + 1]!; i++) {
        const index = indices[block.prn[i]!]!;
        if (index < 0) continue;
        prn[entries] = index;
        columns.forEach((column, c) => (values[c]![entries] = column[i]!));
        entries++;
      }
      offsets[++epoch] = entries;
    }
  }
  const [elevationDeg, azimuthDeg, ...cn0DbHz] = values.map((column) => own(column, entries));
  return {
    timesMs,
    offsets,
    prns: [...indexOf.keys()],
    prn: own(prn, entries),
    elevationDeg: elevationDeg!,
    azimuthDeg: azimuthDeg!,
    bands: bands.map((name, b) => ({ name, cn0DbHz: cn0DbHz[b]! })),
    leftOut: most - entries,
  };
}

function own<T extends Float64Array | Uint16Array>(array: T, length: number): T {
  return length === array.length ? array : (array.slice(0, length) as T);
}
