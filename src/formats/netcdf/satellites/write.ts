import { failure, success, type Result } from "#shared/service/error.ts";
import { FormatFailure, type FormatError } from "../../error.ts";
import { globalAttributes } from "../globals.ts";
import { type NetcdfContainer, writeArrays } from "../writeArrays.ts";
import { FILL_DOUBLE, type Attributes, type NetcdfSink } from "../sink.ts";
import { writePositions, writeReferenceSystem, writeStationNames } from "../stationVariables.ts";
import { timeAttributes } from "../dataVariables.ts";
import { Pace } from "../../pace.ts";
import type { SeriesFileSource, WriteOptions, WrittenFile } from "../../source.ts";
import { satelliteBlocks, sourceChanged } from "../../sourceRows.ts";
import { SatelliteReader } from "#shared/satellites/numbers.ts";
import type { SatelliteProblemCounts } from "#shared/satellites/parse.ts";
import { ScatterWriter } from "./scatter.ts";
import { surveySatellites, type SatelliteSurvey } from "./survey.ts";

export interface SatelliteNetcdfOptions extends WriteOptions {
  /** netcdf4 where it is not given. */
  readonly container?: NetcdfContainer | "zarr";
}

export interface WrittenSatellites extends WrittenFile {
  /** Signal bands as their variables name them: `cn0_<band>`. */
  readonly bands: readonly string[];
  /** Station–satellite pairs, one time series each. */
  readonly pairs: number;
  readonly problems: SatelliteProblemCounts;
}

/** Small enough that a hundred satellites can each have one or two of them in memory. */
const CHUNK = 4_096;

/**
 * Writes the per-satellite variables as numbers, in a NetCDF file of their own: one time series per station–satellite
 * pair, as contiguous ragged arrays, with elevation, azimuth and C/N0 per band. Reads the source twice; memory does not
 * grow with the number of rows. `rows` of the result are observations of satellites, not rows of the source.
 */
export async function writeSatelliteNetcdf(
  path: string,
  source: SeriesFileSource,
  options: SatelliteNetcdfOptions = {},
): Promise<Result<WrittenSatellites, FormatError>> {
  const pace = new Pace(options);
  const prepare = async (): Promise<SatelliteSurvey> => {
    if (!source.variables.includes("prn"))
      throw new FormatFailure("invalid", "A file of satellites needs the variable prn, which names them.");
    const survey = await surveySatellites(source, new Pace({ ...options, onProgress: () => {} }));
    if (survey.pairs.length > 0) return survey;
    throw new FormatFailure("invalid", "These rows contain no satellites, so no satellite file was written.");
  };
  const fill = async (file: NetcdfSink, survey: SatelliteSurvey): Promise<void> => {
    const total = writePairs(file, source, survey);
    await writeObservations(file, source, survey, total, pace);
  };
  const { container = "netcdf4", signal } = options;
  const result = await writeArrays(path, container, { prepare, fill, pace }, signal);
  if (!result.ok) return failure(result.error);
  const { bytes, value } = result.value;
  const { stationsWithRows, bands, pairs, problems } = value;
  options.onProgress?.(pace.rows);
  return success({
    path,
    bytes,
    stationsWithRows,
    rows: pace.rows,
    bands: bands.names.map((b) => `cn0_${b}`),
    pairs: pairs.length,
    problems,
  });
}

/** Everything but the observations; returns how many of those there are. */
function writePairs(file: NetcdfSink, source: SeriesFileSource, survey: SatelliteSurvey): number {
  const stations = survey.pairs.map((p) => source.stations[p.station]!);
  const total = survey.pairs.reduce((sum, p) => sum + p.rows, 0);
  file.globals(globalAttributes(source, survey));
  file.dimension("pair", survey.pairs.length);
  file.names(
    "pair_id",
    "pair",
    survey.pairs.map((p, i) => `${stations[i]!.id} ${p.prn}`),
    {
      long_name: "station and satellite",
      cf_role: "timeseries_id",
    },
  );
  file.names(
    "station_id",
    "pair",
    stations.map((s) => s.id),
    { long_name: "station identifier of the service" },
  );
  file.names(
    "prn",
    "pair",
    survey.pairs.map((p) => p.prn),
    { long_name: "satellite identifier" },
  );
  writeStationNames(file, "pair", stations);
  const coordinates = ["time", ...writePositions(file, "pair", stations), "pair_id"].join(" ");
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
    // dB-Hz is no unit that udunits knows; this one is the same and parses.
    ...survey.bands.names.map((band): [string, Attributes] => [
      `cn0_${band}`,
      { long_name: `carrier-to-noise density ratio C/N0 in dB-Hz, band ${band}`, units: "0.1 lg(re 1 Hz)", ...common },
    ]),
  ];
}

/** The second pass: every observation goes to the place of its pair. */
async function writeObservations(
  file: NetcdfSink,
  source: SeriesFileSource,
  survey: SatelliteSurvey,
  total: number,
  pace: Pace,
): Promise<void> {
  const reader = new SatelliteReader(survey.bands);
  const bands = survey.bands.names.length;
  const names = ["time", "elevation", "azimuth", ...survey.bands.names.map((b) => `cn0_${b}`)];
  const writer = new ScatterWriter(file, names, total, Math.min(total, CHUNK));
  const values = names.map(() => 0);
  let pair = 0;
  let offset = 0;
  for (let station = 0; station < source.stations.length; station++) {
    const places = new Map<string, { next: number; readonly end: number }>();
    for (; pair < survey.pairs.length && survey.pairs[pair]!.station === station; pair++) {
      const { prn, rows } = survey.pairs[pair]!;
      places.set(prn, { next: offset, end: offset + rows });
      offset += rows;
    }
    for (const block of satelliteBlocks(source, station)) {
      const { timesMs, offsets, prns, prn, elevationDeg, azimuthDeg, cn0DbHz } = reader.read(block);
      const placeOf = prns.map((name) => places.get(name));
      for (let row = 0; row < timesMs.length; row++) {
        values[0] = timesMs[row]! / 1000;
        for (let entry = offsets[row]!; entry < offsets[row + 1]!; entry++) {
          const place = placeOf[prn[entry]!];
          if (!place || place.next >= place.end) throw sourceChanged();
          values[1] = orFill(elevationDeg[entry]!);
          values[2] = orFill(azimuthDeg[entry]!);
          for (let b = 0; b < bands; b++) values[3 + b] = orFill(cn0DbHz[b]![entry]!);
          writer.put(place.next++, values);
        }
      }
      await file.drained();
      await pace.breathe(prn.length);
    }
  }
  writer.finish();
  // A pair that got fewer rows than announced may leave a whole chunk untouched, which the writer cannot see.
  if (pace.rows !== total) throw sourceChanged();
}

function orFill(value: number): number {
  return Number.isNaN(value) ? FILL_DOUBLE : value;
}
