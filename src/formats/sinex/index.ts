import type { SeriesRows } from "#shared/series/rows.ts";
import { failure, success, type Result } from "#shared/service/error.ts";
import { appendRuns, commonStepMs, emptyRuns, runEndMs } from "#shared/time/runs.ts";
import { formatUtc } from "#shared/time/utc.ts";
import { FormatFailure, type FormatError } from "../error.ts";
import { Pace } from "../pace.ts";
import type { SeriesFileSource, WriteOptions, WrittenFile } from "../source.ts";
import { type ByteSink, writeThroughSink } from "../sink.ts";
import { guarded, outOfOrder, timesOf } from "../sourceRows.ts";
import { stationCodes } from "./codes.ts";
import { EpochText } from "./epoch.ts";
import { headText, type SolutionSpan, TAIL } from "./head.ts";
import { type Parameter, parametersOf, VALUE_DECIMALS, VALUE_WIDTH } from "./parameters.ts";

export interface WrittenSinexTro extends WrittenFile {
  /** The code of each station in the file, in the order of the source. */
  readonly codes: readonly string[];
}

/** Text that is gathered before it goes to the disk. */
const TEXT_CHARACTERS = 1 << 19;

/**
 * Writes series as SINEX_TRO 2.00: ZTD as TROTOT and its formal uncertainty as STDDEV (mm), or PWV as IWV (kg m-2), with
 * three decimals; −999.000 where there is no value. Epochs are whole seconds of UTC; that of a mean is the middle of its
 * interval. Reads the source twice, first the times. Memory does not grow with the number of rows.
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
  const pace = new Pace(options);
  let stationsWithRows = 0;
  const result = await writeThroughSink(
    path,
    async (sink) => {
      const parameters = parametersOf(source.variables);
      if (source.stations.length === 0) throw new FormatFailure("invalid", "A file needs at least one station.");
      const span = await spanOf(source, new Pace({ ...options, onProgress: () => {} }));
      stationsWithRows = span.stationsWithRows;
      await sink.hand(Buffer.from(headText(source, codes, parameters, span), "latin1"));
      await writeRows(sink, source, codes, parameters, pace);
      await sink.hand(Buffer.from(TAIL, "latin1"));
    },
    () => undefined,
    options.signal,
  );
  if (!result.ok) return failure(result.error);
  options.onProgress?.(pace.rows);
  return success({ path, bytes: result.value.bytes, rows: pace.rows, stationsWithRows, codes });
}

/** What the times alone tell. */
async function spanOf(
  source: SeriesFileSource,
  pace: Pace,
): Promise<SolutionSpan & { readonly stationsWithRows: number }> {
  const offsetMs = epochOffsetMs(source);
  const steps: (number | null)[] = [];
  let [firstMs, lastMs] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let stationsWithRows = 0;
  for (let station = 0; station < source.stations.length; station++) {
    const own = emptyRuns();
    for (const times of guarded(() => timesOf(source, station))) {
      if (!appendRuns(own, times)) throw outOfOrder();
      await pace.breathe();
    }
    steps.push(commonStepMs(own));
    if (own.total === 0) continue;
    stationsWithRows++;
    firstMs = Math.min(firstMs, own.startsMs[0]! + offsetMs);
    lastMs = Math.max(lastMs, runEndMs(own, own.counts.length - 1) + offsetMs);
  }
  if (stationsWithRows === 0) [firstMs, lastMs] = [source.range.startMs, source.range.endMs];
  const known = steps.filter((step) => step !== null);
  return { firstMs, lastMs, stepMs: known.length === 0 ? null : Math.min(...known), steps, stationsWithRows };
}

/** From the start of an interval to its middle, in whole seconds: the epoch that the format has for a mean. */
function epochOffsetMs({ intervalSeconds }: SeriesFileSource): number {
  return 1000 * Math.floor((intervalSeconds ?? 0) / 2);
}

async function writeRows(
  sink: ByteSink,
  source: SeriesFileSource,
  codes: readonly string[],
  parameters: readonly Parameter[],
  pace: Pace,
): Promise<void> {
  const epoch = new EpochText();
  const offsetMs = epochOffsetMs(source);
  let text = "";
  for (const [station, { id }] of source.stations.entries()) {
    for (const rows of guarded(() => source.blocks(station))) {
      const values = parameters.map((p) => scalars(rows, p));
      for (let row = 0; row < rows.timesMs.length; row++) {
        const timeMs = rows.timesMs[row]!;
        if (timeMs % 1000 !== 0) throw fractionOfSecond(id, timeMs);
        text += ` ${codes[station]} ${epoch.text(timeMs + offsetMs)}`;
        for (let i = 0; i < values.length; i++) text += valueText(values[i]?.[row], parameters[i]!.name, id, timeMs);
        text += "\n";
        if (text.length < TEXT_CHARACTERS) continue;
        await sink.hand(Buffer.from(text, "latin1"));
        text = "";
      }
      await pace.breathe(rows.timesMs.length);
    }
  }
  await sink.hand(Buffer.from(text, "latin1"));
}

function scalars(rows: SeriesRows, { variable }: Parameter): Float64Array | undefined {
  const column = variable === null ? undefined : rows.columns[variable];
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
