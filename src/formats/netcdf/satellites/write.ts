import { defined } from "#shared/defined.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import { type FormatError, FormatFailure } from "../../error.ts";
import { globalAttributes } from "../globals.ts";
import { type NetcdfContainer, writeArrays } from "../writeArrays.ts";
import { type Attributes, FILL_DOUBLE, type NetcdfSink } from "../sink.ts";
import { writePositions, writeReferenceSystem, writeStationNames } from "../stationVariables.ts";
import { timeAttributes } from "../columns.ts";
import {
  Pace,
  satelliteBlocks,
  type SeriesFileSource,
  sourceChanged,
  type WriteOptions,
  type WrittenFile,
} from "../../source.ts";
import { SatelliteReader } from "#shared/satellites/numbers.ts";
import { type SatelliteSurvey, surveySatellites } from "./survey.ts";

interface SatelliteNetcdfOptions extends WriteOptions {
  /** Default: netcdf4. */
  readonly container?: NetcdfContainer | "zarr";
}

/** Small enough to keep one or two chunks of each of a hundred satellites in memory. */
const CHUNK = 4_096;

/**
 * Writes the per-satellite variables as numbers to a NetCDF file: one time series per station–satellite pair, as contiguous
 * ragged arrays, with elevation, azimuth and C/N0 per band. Reads the source twice; memory does not grow with the number
 * of rows. `rows` of the result is the number of satellite observations.
 */
export async function writeSatelliteNetcdf(
  path: string,
  source: SeriesFileSource,
  options: SatelliteNetcdfOptions = {},
): Promise<Result<WrittenFile, FormatError>> {
  const pace = new Pace(options);
  const prepare = async (): Promise<SatelliteSurvey> => {
    const survey = await surveySatellites(source, options);
    if (survey.pairs.length > 0) return survey;
    throw new FormatFailure("invalid", "These rows contain no satellites, so no satellite file was written.");
  };
  const fill = async (file: NetcdfSink, survey: SatelliteSurvey): Promise<void> => {
    const total = writePairs(file, source, survey);
    await writeObservations({ file, source, pace }, survey, total);
  };
  const { container = "netcdf4" } = options;
  const result = await writeArrays(path, container, { prepare, fill, pace }, options);
  if (!result.ok) return failure(result.error);
  options.onProgress?.(pace.rows);
  return success({ path, bytes: result.value.bytes, rows: pace.rows });
}

/** Writes everything except the observations; returns their number. */
function writePairs(file: NetcdfSink, source: SeriesFileSource, survey: SatelliteSurvey): number {
  const stations = survey.pairs.map((p) => defined(source.stations[p.station]));
  const total = survey.pairs.reduce((sum, p) => sum + p.rows, 0);
  file.globals(globalAttributes(source, survey));
  file.dimension("pair", survey.pairs.length);
  const ids = stations.map((s) => s.id);
  const prns = survey.pairs.map((p) => p.prn);
  const pairIds = prns.map((prn, i) => `${ids[i]} ${prn}`);
  file.names("pair_id", "pair", pairIds, { long_name: "station and satellite", cf_role: "timeseries_id" });
  file.names("station_id", "pair", ids, { long_name: "station identifier of the service" });
  file.names("prn", "pair", prns, { long_name: "satellite identifier" });
  writeStationNames(file, "pair", stations);
  const coordinates = ["time", ...writePositions(file, "pair", stations), "pair_id", "station_name"].join(" ");
  writeReferenceSystem(file, stations);
  file.dimension("obs", total);
  const rowSize = { long_name: "number of observations of this pair", sample_dimension: "obs" };
  const counts = Int32Array.from(survey.pairs, (p) => p.rows);
  file.values({ name: "row_size", dimensions: ["pair"], attributes: rowSize }, counts);
  const time = { ...timeAttributes(source), bounds: undefined };
  const variables: [string, Attributes][] = [["time", time], ...observedVariables(source, survey, coordinates)];
  for (const [name, attributes] of variables) {
    file.doubles({ name, dimensions: ["obs"], attributes, holdsTimes: name === "time" }, [Math.min(total, CHUNK)]);
  }
  return total;
}

function observedVariables(
  source: SeriesFileSource,
  survey: SatelliteSurvey,
  coordinates: string,
): [string, Attributes][] {
  const common = {
    _FillValue: FILL_DOUBLE,
    coordinates,
    grid_mapping: "crs",
    cell_methods: "time: point",
    comment: source.intervalSeconds === null ? undefined : "Of the first observation in the interval.",
  };
  return [
    ["elevation", { long_name: "elevation of the satellite above the horizon", units: "degree", ...common }],
    [
      "azimuth",
      {
        standard_name: "platform_azimuth_angle",
        long_name: "azimuth of the satellite, clockwise from north",
        units: "degree",
        ...common,
      },
    ],
    // UDUNITS does not know dB-Hz; this unit is equivalent.
    ...survey.bands.names.map((band): [string, Attributes] => [
      `cn0_${band}`,
      { long_name: `carrier-to-noise density ratio C/N0 in dB-Hz, band ${band}`, units: "0.1 lg(re 1 Hz)", ...common },
    ]),
  ];
}

/** Reads the rows a second time and writes every observation to the position of its pair. */
async function writeObservations(
  { file, source, pace }: { readonly file: NetcdfSink; readonly source: SeriesFileSource; readonly pace: Pace },
  survey: SatelliteSurvey,
  total: number,
): Promise<void> {
  const reader = new SatelliteReader(survey.bands);
  const bands = survey.bands.names.length;
  const names = ["time", "elevation", "azimuth", ...survey.bands.names.map((b) => `cn0_${b}`)];
  const writer = new ScatterWriter(file, names, total, Math.min(total, CHUNK));
  const values = names.map(() => 0);
  const pairsByStation = Map.groupBy(survey.pairs, (pair) => pair.station);
  let offset = 0;
  for (const station of source.stations.keys()) {
    const places = new Map<string, { next: number; readonly end: number }>();
    for (const { prn, rows } of pairsByStation.get(station) ?? []) {
      places.set(prn, { next: offset, end: offset + rows });
      offset += rows;
    }
    for (const block of satelliteBlocks(source, station)) {
      const { timesMs, offsets, prns, prn, elevationDeg, azimuthDeg, cn0DbHz } = reader.read(block);
      const placeOf = prns.map((name) => places.get(name));
      for (let row = 0; row < timesMs.length; row++) {
        values[0] = timesMs[row]! / 1000;
        const end = offsets[row + 1]!;
        for (let entry = offsets[row]!; entry < end; entry++) {
          const place = placeOf[prn[entry]!];
          if (!place || place.next >= place.end) throw sourceChanged();
          values[1] = orFill(elevationDeg[entry]!);
          values[2] = orFill(azimuthDeg[entry]!);
          for (let b = 0; b < bands; b++) values[3 + b] = orFill(cn0DbHz[b]![entry]!);
          writer.put(place.next++, values);
        }
      }
      await file.drained();
      await pace.step(prn.length);
    }
  }
  writer.finish();
  // If a pair has fewer rows than before, a whole chunk may be untouched, which the writer does not detect.
  if (pace.rows !== total) throw sourceChanged();
}

function orFill(value: number): number {
  return Number.isNaN(value) ? FILL_DOUBLE : value;
}

/** A chunk of one variable. */
interface ChunkBuffer {
  readonly name: string;
  readonly values: Float64Array;
}

interface OpenChunk {
  filled: number;
  readonly buffers: readonly ChunkBuffer[];
}

/**
 * Fills one-dimensional variables in any order, but writes whole chunks: a chunk is buffered until it is complete. Rows
 * are read by time and stored by satellite, so that only the current chunk of each satellite of one station is in memory.
 */
class ScatterWriter {
  readonly #file: NetcdfSink;
  readonly #names: readonly string[];
  readonly #total: number;
  readonly #chunk: number;
  readonly #open = new Map<number, OpenChunk>();
  readonly #spare: (readonly ChunkBuffer[])[] = [];

  constructor(file: NetcdfSink, names: readonly string[], total: number, chunk: number) {
    this.#file = file;
    this.#names = names;
    this.#total = total;
    this.#chunk = chunk;
  }

  /** Sets one value per variable at `index`; each index must be set exactly once. */
  put(index: number, values: readonly number[]): void {
    const number = Math.floor(index / this.#chunk);
    const start = number * this.#chunk;
    let chunk = this.#open.get(number);
    if (!chunk) {
      const buffers = this.#spare.pop() ?? this.#names.map((name) => ({ name, values: new Float64Array(this.#chunk) }));
      chunk = { filled: 0, buffers };
      this.#open.set(number, chunk);
    }
    const { buffers } = chunk;
    for (let v = 0; v < buffers.length; v++) buffers[v]!.values[index - start] = values[v]!;
    chunk.filled += 1;
    const length = Math.min(this.#chunk, this.#total - start);
    if (chunk.filled < length) return;
    for (const { name, values: written } of buffers) this.#file.write(name, [start], written.subarray(0, length));
    this.#open.delete(number);
    this.#spare.push(buffers);
  }

  /** @throws FormatFailure if cells are missing */
  finish(): void {
    if (this.#open.size > 0) throw sourceChanged();
  }
}
