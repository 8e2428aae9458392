import type { ReceivedRows } from "#shared/series/rows.ts";
import { containsMoment, type TimeRange } from "#shared/time/range.ts";
import type { PlannedRequest } from "../planner/types.ts";
import type { StationContents } from "../store/types.ts";
import type { Session } from "./session.ts";
import { type ExpectedValues, findSuspicion, hasCoarseTimes, type Suspicion } from "./wrongTimes.ts";

/** What of a response is not at its time. */
interface WrongTimes {
  /** Stations whose times are shifted; the rows of the others can be requested without them. */
  readonly shiftedIds: readonly string[];
  /** Why nothing of the response can be used, as the end of a sentence; null if something may be. */
  readonly why: string | null;
}

/** Counts requests when they are sent, and when they end, with or without an answer. */
export interface RequestCounter {
  readonly sent: () => void;
  readonly ended: () => void;
}

interface TimesContext {
  /** The values to expect of a station: of all requested variables, and of the variables with at least one value. */
  readonly expectedOf: (own: StationContents) => { readonly all: ExpectedValues; readonly valued: ExpectedValues };
  readonly signal: AbortSignal;
  readonly statistics: RequestCounter;
}

/** Finds wrong times in a response; what only seems to be wrong is decided by a small request. */
export async function findWrongTimes(
  session: Session,
  request: PlannedRequest,
  stations: Iterable<StationContents>,
  { expectedOf, ...asking }: TimesContext,
): Promise<WrongTimes> {
  const wrong: Suspicion[] = [];
  for (const own of stations) {
    const expected = expectedOf(own);
    const suspicion = findSuspicion(own, request.intervalSeconds, expected);
    if (suspicion && (await isConfirmed(session, request, suspicion, asking))) wrong.push(suspicion);
    else if (hasCoarseTimes(own, expected.valued))
      return { shiftedIds: [], why: "several values of a station have the same time" };
  }
  const kinds = new Set(wrong.map(({ kind }) => kind));
  if (kinds.has("unclear")) return { shiftedIds: [], why: "its times seem to be shifted" };
  if (kinds.has("shifted")) {
    return { shiftedIds: wrong.flatMap(({ kind, stationId }) => (kind === "shifted" ? [stationId] : [])), why: null };
  }
  return { shiftedIds: [], why: kinds.has("longer") ? "its means are those of longer intervals" : null };
}

/** Asks whether there are rows in the time that seems to lack them; without an answer, the suspicion stands. */
async function isConfirmed(
  session: Session,
  { variables, raw }: PlannedRequest,
  { stationId, lacking, question }: Suspicion,
  { signal, statistics }: Omit<TimesContext, "expectedOf">,
): Promise<boolean> {
  if (question === null) return true;
  statistics.sent();
  let isFound = false;
  const { range, intervalSeconds } = question;
  const answer = await session.client.timeSeries(
    { stationIds: [stationId], variables, intervalSeconds, raw, ...range },
    { onRows: (block) => void (isFound ||= hasAnyValue(block, lacking)) },
    signal,
  );
  statistics.ended();
  return !answer.ok || isFound;
}

/** Whether rows have a value within a range. */
export function hasAnyValue({ timesMs, scalars, texts }: ReceivedRows, range: TimeRange): boolean {
  return timesMs.some(
    (timeMs, row) =>
      containsMoment(range, timeMs) &&
      (Object.values(scalars).some((values) => !Number.isNaN(values[row])) ||
        Object.values(texts).some((values) => Boolean(values[row]))),
  );
}
