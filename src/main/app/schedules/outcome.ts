import { randomUUID } from "node:crypto";
import type { AppFault } from "#shared/fault.ts";
import { countStates, type LedgerRange, ON_TIME_MS } from "#shared/schedule/ledger.ts";
import type { ScheduleRun } from "#shared/schedule/run.ts";
import { silentSentence, silentStations } from "#shared/schedule/silence.ts";
import { many } from "#shared/text.ts";
import { formatRange } from "#shared/time/range.ts";
import { hull, rangeSet } from "#shared/time/rangeset.ts";
import { MINUTE_MS, type UtcMs } from "#shared/time/utc.ts";
import { currentCatalogue, MAX_CATALOGUE_AGE_MS } from "../../sync/catalogue.ts";
import type { OpenConnection } from "../connections/connections.ts";
import type { StoredSchedule } from "./ledger.ts";

// What a run of a schedule says of itself: its record, state and sentences.

/** Abort reason of a run that the next start of the program repeats. */
export const CLOSING = "closing";

export function abortedState({ reason }: AbortSignal): Partial<ScheduleRun> {
  return reason === CLOSING
    ? { state: "interrupted", reason: "The program was closed before the run ended." }
    : { state: "stopped", reason: "The run was stopped.", faultKind: "cancelled" };
}

export function failedBy({ message, kind }: AppFault): Partial<ScheduleRun> {
  return { state: "failed", reason: message, faultKind: kind };
}

/** A run as it is stored before any work is done. */
export function newRun(scheduleId: string, trigger: ScheduleRun["trigger"], startedMs: UtcMs): ScheduleRun {
  return {
    id: randomUUID(),
    scheduleId,
    startedMs,
    endedMs: null,
    trigger,
    state: "running",
    reason: null,
    faultKind: null,
    range: null,
    ranges: 0,
    delivered: 0,
    stations: 0,
    rows: 0,
    requests: 0,
    missing: [],
    remarks: [],
    alarms: [],
    files: [],
    forgottenRows: 0,
    jobIds: [],
  };
}

/** Sentences on stations that are silent, by a catalogue that is a minute old at most. */
export async function silenceAlarms(
  { session }: OpenConnection,
  { schedule: { silentMinutes } }: StoredSchedule,
  stationIds: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  if (silentMinutes === null || signal.aborted) return [];
  const catalogue = await currentCatalogue(session, MAX_CATALOGUE_AGE_MS, signal, 0);
  if (!catalogue.ok) return [`Silent stations could not be checked: ${catalogue.error.message}`];
  const limitMs = silentMinutes * MINUTE_MS;
  const silent = silentStations(catalogue.value, stationIds, limitMs, session.serverNowMs());
  return [silentSentence(silent, limitMs)].filter((sentence) => sentence !== null);
}

/** Why a run that nobody asked for starts now. */
export function triggerOf(ranges: readonly LedgerRange[], nowMs: UtcMs): ScheduleRun["trigger"] {
  const fresh = ranges.filter((range) => range.tries === 0);
  if (fresh.length === 0) return "retry";
  return fresh.some(({ dueMs }) => nowMs - dueMs > ON_TIME_MS) ? "missed" : "time";
}

/** Complete means complete since the schedule began, whatever this run did. */
export function stateOf(unfinished: readonly LedgerRange[]): ScheduleRun["state"] {
  const { due, failed, incomplete, mayStillArrive } = countStates(unfinished);
  if (due + failed + incomplete > 0) return "incomplete";
  return mayStillArrive > 0 ? "mayStillArrive" : "ok";
}

/** `2 ranges are not delivered (2026-11-03 → 2026-11-05).`; null if all are delivered. */
export function openSentence(unfinished: readonly LedgerRange[]): string | null {
  const missing = unfinished.filter(({ state }) => state === "due" || state === "failed");
  const span = hull(rangeSet(missing));
  if (span === null) return null;
  return `${many(missing.length, "range")} ${missing.length === 1 ? "is" : "are"} not delivered (${formatRange(span)}).`;
}

/** Maximum number of remarks of a run. */
const MAX_REMARKS = 12;

export function shortened(remarks: readonly string[]): string[] {
  if (remarks.length <= MAX_REMARKS) return [...remarks];
  return [...remarks.slice(0, MAX_REMARKS), `And ${remarks.length - MAX_REMARKS} more remarks.`];
}
