import { failure, success, type Result } from "#shared/service/error.ts";
import { asFormatError, FormatFailure, type FormatError } from "../error.ts";
import { Pace } from "../pace.ts";
import { type SatelliteNumbers, SatelliteReader } from "../satellites/numbers.ts";
import type { SatelliteProblemCounts } from "../satellites/parse.ts";
import { surveySatellites } from "../satellites/survey.ts";
import type { SeriesFileSource } from "../source.ts";
import { satelliteBlocks } from "../sourceRows.ts";
import { MAX_NUMBER_BYTES, writeNumber } from "./number.ts";
import { headLine, maxRowsPerFile, type CsvOptions, type WrittenCsv } from "./options.ts";
import { CsvParts } from "./parts.ts";
import { csvField, maxFieldBytes } from "./text.ts";
import { MAX_TIME_BYTES, TimeText } from "./time.ts";

export interface WrittenSatelliteCsv extends WrittenCsv {
  readonly bands: readonly string[];
  readonly problems: SatelliteProblemCounts;
}

const BUFFER_BYTES = 1 << 20;
const COMMA = 44;
const LINE_END = 0x0d0a;

/**
 * Writes satellites in long form, one row per station, epoch and satellite:
 * `station_id,time,prn,el_deg,az_deg,cn0_<band>_dbhz`. Ordered by station and time, satellites as the service named
 * them. Reads the source twice, first for the bands. `rows` of the result are rows of the file.
 */
export async function writeSatelliteCsv(
  path: string,
  source: SeriesFileSource,
  options: CsvOptions = {},
): Promise<Result<WrittenSatelliteCsv, FormatError>> {
  let parts: CsvParts | null = null;
  try {
    if (!source.variables.includes("prn")) {
      throw new FormatFailure("invalid", "A file of satellites needs the variable prn, which names them.");
    }
    const survey = await surveySatellites(source, new Pace({ ...options, onProgress: () => {} }));
    const digits = options.fractionDigits ?? (survey.wholeSeconds ? 0 : 3);
    if (digits === 0 && !survey.wholeSeconds) {
      throw new FormatFailure("invalid", "The times have fractions of a second: fractionDigits has to be 3.");
    }
    const cn0 = survey.bands.names.map((band) => `cn0_${band}_dbhz`);
    const columns = ["station_id", "time", "prn", "el_deg", "az_deg", ...cn0];
    parts = new CsvParts(path, headLine(columns, options), maxRowsPerFile(options));
    const pace = new Pace(options);
    const time = new TimeText(options.preset === "excel" ? "excel" : "iso", digits);
    await writeRows(source, new SatelliteReader(survey.bands), cn0.length, time, parts, pace);
    const { paths, bytes } = await parts.finish();
    options.onProgress?.(pace.rows);
    const { stationsWithRows, bands, problems } = survey;
    return success({
      path: paths[0]!,
      paths,
      bytes,
      stationsWithRows,
      rows: pace.rows,
      bands: bands.names.map((b) => `cn0_${b}`),
      problems,
    });
  } catch (thrown) {
    await parts?.abandon();
    return failure(asFormatError(thrown, path));
  }
}

async function writeRows(
  source: SeriesFileSource,
  reader: SatelliteReader,
  bands: number,
  time: TimeText,
  parts: CsvParts,
  pace: Pace,
): Promise<void> {
  await parts.room();
  for (const [station, { id }] of source.stations.entries()) {
    const prefix = Buffer.from(`${csvField(id)},`);
    const rowBytes = prefix.length + MAX_TIME_BYTES + (2 + bands) * (MAX_NUMBER_BYTES + 1) + 4;
    const buffer = Buffer.allocUnsafe(Math.max(BUFFER_BYTES, 2 * rowBytes));
    const view = new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength);
    let at = 0;
    let waiting = 0;
    const flush = async (): Promise<void> => {
      await parts.append(buffer.subarray(0, at), waiting);
      await pace.breathe(waiting);
      at = 0;
      waiting = 0;
    };
    let room = 0;
    for (const block of satelliteBlocks(source, station)) {
      const seen = reader.read(block);
      const { timesMs, offsets, prns, prn } = seen;
      const names = prns.map(csvField);
      for (let row = 0; row < timesMs.length; row++) {
        for (let entry = offsets[row]!; entry < offsets[row + 1]!; entry++) {
          const name = names[prn[entry]!]!;
          if (at + rowBytes + maxFieldBytes(name) > buffer.length || (waiting > 0 && waiting === room)) await flush();
          if (waiting === 0) room = await parts.room();
          at += prefix.copy(buffer, at);
          at = time.write(view, at, timesMs[row]!);
          buffer[at++] = COMMA;
          at += buffer.write(name, at);
          at = writeSatellite(seen, entry, bands, view, at);
          waiting += 1;
        }
      }
      await pace.breathe();
    }
    await flush();
  }
}

function writeSatellite(seen: SatelliteNumbers, entry: number, bands: number, out: DataView, from: number): number {
  let at = writeValue(out, from, seen.elevationDeg[entry]!);
  at = writeValue(out, at, seen.azimuthDeg[entry]!);
  for (let b = 0; b < bands; b++) at = writeValue(out, at, seen.cn0DbHz[b]![entry]!);
  out.setUint16(at, LINE_END);
  return at + 2;
}

function writeValue(out: DataView, at: number, value: number): number {
  out.setUint8(at, COMMA);
  return Number.isNaN(value) ? at + 1 : writeNumber(out, at + 1, value);
}
