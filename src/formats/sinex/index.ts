import type { Result } from "#shared/service/error.ts";
import type { TimeSystem } from "#shared/file/export.ts";
import { appendRuns, commonStepMs, emptyRuns, runEndMs } from "#shared/time/runs.ts";
import { FormatFailure, type FormatError } from "../error.ts";
import {
  guarded,
  outOfOrder,
  Pace,
  type SeriesFileSource,
  timesOf,
  type WriteOptions,
  type WrittenFile,
} from "../source.ts";
import { type ByteSink, writeThroughSink } from "../sink.ts";
import { headText, type SolutionSpan, TAIL } from "./head.ts";
import { EpochText, parametersOf } from "./text.ts";
import { writeRows } from "./rows.ts";
import { nineCharacterCodes } from "../siteCode.ts";

interface SinexOptions extends WriteOptions {
  /** Default: utc. */
  readonly timeSystem?: TimeSystem | undefined;
}

/**
 * Writes series as SINEX_TRO 2.00: ZTD as TROTOT and its formal uncertainty as STDDEV (mm), or PWV as IWV (kg m-2), with
 * three decimals; −999.000 for missing values. Epochs are whole seconds in UTC, or in GPS time; the epoch of a mean is the middle of its
 * interval. Reads the source twice, first the times. Memory does not grow with the number of rows.
 *
 * Values that do not fit into their column, and times with fractions of a second, are errors.
 */
export async function writeSinexTro(
  path: string,
  source: SeriesFileSource,
  options: SinexOptions = {},
): Promise<Result<WrittenFile, FormatError>> {
  const { timeSystem = "utc" } = options;
  const write = async (sink: ByteSink, pace: Pace): Promise<void> => {
    const codes = nineCharacterCodes(source.stations);
    const parameters = parametersOf(source.variables);
    if (source.stations.length === 0) throw new FormatFailure("invalid", "A file needs at least one station.");
    const span = await solutionSpan(source, new Pace({ ...options, onProgress: () => {} }));
    const epoch = new EpochText(timeSystem);
    await sink.write(Buffer.from(headText(source, { codes, parameters, span, epoch }), "latin1"));
    await writeRows(sink, source, { codes, parameters, epoch, offsetMs: epochOffsetMs(source) }, pace);
    await sink.write(Buffer.from(TAIL, "latin1"));
  };
  return writeThroughSink(path, write, options);
}

/** Reads all times to determine their span and steps. */
async function solutionSpan(source: SeriesFileSource, pace: Pace): Promise<SolutionSpan> {
  const offsetMs = epochOffsetMs(source);
  const steps: (number | null)[] = [];
  let [firstMs, lastMs] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let station = 0; station < source.stations.length; station++) {
    const own = emptyRuns();
    for (const times of guarded(() => timesOf(source, station))) {
      if (!appendRuns(own, times)) throw outOfOrder();
      await pace.step();
    }
    steps.push(commonStepMs(own));
    const [first, last] = [own.list[0], own.list.at(-1)];
    if (!first || !last) continue;
    firstMs = Math.min(firstMs, first.startMs + offsetMs);
    lastMs = Math.max(lastMs, runEndMs(last) + offsetMs);
  }
  if (firstMs > lastMs) [firstMs, lastMs] = [source.range.startMs, source.range.endMs];
  const known = steps.filter((step) => step !== null);
  return { firstMs, lastMs, stepMs: known.length === 0 ? null : Math.min(...known), steps };
}

/** Returns the offset from the start of an interval to its middle, in whole seconds: the epoch of a mean in this format. */
function epochOffsetMs({ intervalSeconds }: SeriesFileSource): number {
  return 1000 * Math.floor((intervalSeconds ?? 0) / 2);
}
