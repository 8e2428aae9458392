import { open, type FileHandle } from "node:fs/promises";
import type { SeriesRows } from "#shared/series/rows.ts";
import { failure, success, type Result } from "#shared/service/error.ts";
import { formatUtc } from "#shared/time/utc.ts";
import { FormatFailure, type FormatError } from "../error.ts";
import { surveySource, type Survey } from "../netcdf/survey.ts";
import { Pace } from "../pace.ts";
import type { SeriesFileSource, WriteOptions, WrittenFile } from "../source.ts";
import { guarded } from "../sourceRows.ts";
import { writeThroughTemporary } from "../temporary.ts";
import { stationCodes } from "./codes.ts";
import { EpochText } from "./epoch.ts";
import { headText, TAIL } from "./head.ts";
import { type Parameter, parametersOf, VALUE_DECIMALS, VALUE_WIDTH } from "./parameters.ts";

export interface WrittenSinexTro extends WrittenFile {
  /** The code of each station in the file, in the order of the source. */
  readonly codes: readonly string[];
}

/** Text that is gathered before it goes to the disk. */
const TEXT_CHARACTERS = 1 << 19;

/**
 * Writes series as SINEX_TRO 2.00: ZTD as TROTOT and its formal uncertainty as STDDEV (mm), PWV as IWV (kg m-2), with
 * three decimals; −999.000 where there is no value. Epochs are whole seconds of UTC. Reads the source twice, first the
 * times. Memory does not grow with the number of rows.
 *
 * A value that the columns cannot hold, or a time with a fraction of a second, is refused with a sentence rather than
 * changed.
 */
export async function writeSinexTro(
  path: string,
  source: SeriesFileSource,
  options: WriteOptions = {},
): Promise<Result<WrittenSinexTro, FormatError>> {
  const codes = stationCodes(source.stations);
  const result = await writeThroughTemporary(
    path,
    async (temporaryPath) => {
      const parameters = parametersOf(source.variables);
      if (source.stations.length === 0) throw new FormatFailure("invalid", "A file needs at least one station.");
      const survey = await surveySource(source, "ragged", new Pace({ ...options, onProgress: () => {} }));
      const { range } = source;
      const span = { ...survey, firstMs: survey.firstMs ?? range.startMs, lastMs: survey.lastMs ?? range.endMs };
      const handle = await open(temporaryPath, "w");
      try {
        await handle.appendFile(headText(source, codes, parameters, span));
        await writeRows(handle, source, codes, parameters, new Pace(options));
        await handle.appendFile(TAIL);
      } finally {
        await handle.close();
      }
      return survey;
    },
    options.signal,
  );
  if (!result.ok) return failure(result.error);
  const { bytes, value: survey } = result.value;
  options.onProgress?.(survey.rows);
  return success({ path, bytes, rows: survey.rows, stationsWithRows: stationsWithRows(survey), codes });
}

function stationsWithRows({ rowCounts }: Survey): number {
  return rowCounts.filter((n) => n > 0).length;
}

async function writeRows(
  handle: FileHandle,
  source: SeriesFileSource,
  codes: readonly string[],
  parameters: readonly Parameter[],
  pace: Pace,
): Promise<void> {
  const epoch = new EpochText();
  let text = "";
  for (const [station, { id }] of source.stations.entries()) {
    for (const rows of guarded(() => source.blocks(station))) {
      const values = parameters.map((p) => scalars(rows, p));
      for (let row = 0; row < rows.timesMs.length; row++) {
        const timeMs = rows.timesMs[row]!;
        if (timeMs % 1000 !== 0) throw fractionOfSecond(id, timeMs);
        text += ` ${codes[station]} ${epoch.text(timeMs)}`;
        for (const [i, { name }] of parameters.entries()) text += valueText(values[i]?.[row], name, id, timeMs);
        text += "\n";
        if (text.length < TEXT_CHARACTERS) continue;
        await handle.appendFile(text);
        text = "";
      }
      await pace.breathe(rows.timesMs.length);
    }
  }
  await handle.appendFile(text);
}

function scalars(rows: SeriesRows, { variable }: Parameter): Float64Array | undefined {
  const column = rows.columns[variable];
  return column?.kind === "scalar" ? column.values : undefined;
}

const MISSING = ` ${(-999).toFixed(VALUE_DECIMALS)}`;

function valueText(value: number | undefined, name: string, stationId: string, timeMs: number): string {
  if (value === undefined || Number.isNaN(value)) return MISSING;
  const text = value.toFixed(VALUE_DECIMALS);
  // What reads as "no value" must not be one.
  if (!Number.isFinite(value) || text.length > VALUE_WIDTH || value <= -999)
    throw unwritable(value, name, stationId, timeMs);
  return ` ${text.padStart(VALUE_WIDTH)}`;
}

function unwritable(value: number, name: string, stationId: string, timeMs: number): FormatFailure {
  return new FormatFailure(
    "invalid",
    `Station ${stationId} has the value ${value} at ${formatUtc(timeMs)}, which the column ${name} of SINEX_TRO cannot hold. ` +
      "Leave that time out, or choose another format.",
  );
}

function fractionOfSecond(stationId: string, timeMs: number): FormatFailure {
  return new FormatFailure(
    "invalid",
    `Station ${stationId} has an observation at ${formatUtc(timeMs)}, and SINEX_TRO has whole seconds only. ` +
      "Choose another format, or means over an interval.",
  );
}
