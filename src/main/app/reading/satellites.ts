import { BandRegistry } from "#formats/satellites/cn0.ts";
import { SATELLITE_PROBLEMS, SatelliteParser, valueAt } from "#formats/satellites/parse.ts";
import { parseRow } from "#formats/satellites/survey.ts";
import type { SatelliteEpochs } from "#shared/bridge/satellites.ts";
import type { SeriesMode } from "#shared/series/rows.ts";
import { SATELLITE_VARIABLES } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import type { CacheReader } from "../../store/types.ts";
import { growingNumbers, type GrowingNumbers } from "./growing.ts";
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
  const parser = new SatelliteParser(bands);
  const indexOf = new Map<string, number>();
  const timesMs = growingNumbers();
  const offsets = growingNumbers();
  const prn = growingNumbers();
  const elevationDeg = growingNumbers();
  const azimuthDeg = growingNumbers();
  const cn0DbHz: GrowingNumbers[] = [];
  let leftOut = 0;
  let named: readonly string[] = [];
  let indices: readonly number[] = [];
  const indexFor = (name: string): number => {
    const known = indexOf.get(name);
    if (known !== undefined) return known;
    if (indexOf.size === MOST_SATELLITES) return -1;
    indexOf.set(name, indexOf.size);
    return indexOf.size - 1;
  };

  for (const rows of cache.blocks({ stationId, variables: SATELLITE_VARIABLES, range, ...mode })) {
    for (let row = 0; row < rows.timesMs.length; row++) {
      const seen = parseRow(parser, rows, row);
      timesMs.push(rows.timesMs[row]!);
      offsets.push(prn.length);
      // A band that turns up late has no values before.
      while (cn0DbHz.length < bands.names.length) cn0DbHz.push(growingNumbers(prn.length));
      // The parser gives the same list again for as long as the rows name the same satellites.
      if (seen.prns !== named) {
        named = seen.prns;
        indices = named.map(indexFor);
      }
      for (let s = 0; s < seen.prns.length; s++) {
        const index = indices[s]!;
        if (index < 0) {
          leftOut++;
          continue;
        }
        const at = seen.index[s]!;
        prn.push(index);
        elevationDeg.push(valueAt(seen.elevationDeg, at));
        azimuthDeg.push(valueAt(seen.azimuthDeg, at));
        for (let b = 0; b < cn0DbHz.length; b++) cn0DbHz[b]!.push(valueAt(seen.cn0DbHz[b], at));
      }
    }
    await pace.breathe();
  }
  offsets.push(prn.length);
  const problems = Object.entries(parser.problems).map(([kind, count]) => ({
    problem: SATELLITE_PROBLEMS[kind as keyof typeof SATELLITE_PROBLEMS],
    count,
  }));
  return {
    timesMs: timesMs.take(),
    offsets: Uint32Array.from(offsets.take()),
    prns: [...indexOf.keys()],
    prn: Uint16Array.from(prn.take()),
    elevationDeg: elevationDeg.take(),
    azimuthDeg: azimuthDeg.take(),
    bands: bands.names.map((name, b) => ({ name, cn0DbHz: cn0DbHz[b]!.take() })),
    problems: leftOut > 0 ? [...problems, { problem: TOO_MANY, count: leftOut }] : problems,
  };
}
