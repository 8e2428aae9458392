import { lowSentence } from "#shared/schedule/silence.ts";
import { mkdir } from "node:fs/promises";
import type { ScheduleStage } from "#shared/bridge/methods/jobs.ts";
import type { AppFault } from "#shared/fault.ts";
import type { FigureSettings } from "#shared/file/figure.ts";
import { type JobSpec, withoutStations } from "#shared/job/job.ts";
import type { Verdict } from "#shared/job/verdict.ts";
import { type LedgerRange, type RangeState, RANGE_STATE_WORDS, retryWaitMs } from "#shared/schedule/ledger.ts";
import type { ScheduleRun } from "#shared/schedule/run.ts";
import type { Result } from "#shared/service/error.ts";
import { DAY_MS, type UtcMs } from "#shared/time/utc.ts";
import { formatRange, type TimeRange } from "#shared/time/range.ts";
import type { Clock } from "../../sync/clock.ts";
import type { OpenConnection } from "../connections/connections.ts";
import { isComplete } from "../exports/fetchFirst.ts";
import type { DrawFigure } from "../exports/figure.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { leastSettled, type Settlement, settlementOf } from "../reading/settlement.ts";
import type { GuardedWrite } from "../storage/ownFiles.ts";
import { drawFigures, earlierFiles, nameFigures, nameFiles, outputFolder, writeFiles } from "./files.ts";
import { countReceived, missingOf } from "./incomplete.ts";
import type { RangePlan } from "./plan.ts";
import type { StoredSchedule } from "./ledger.ts";
import type { ScheduleStore } from "./scheduleStore.ts";

/** Result of a download for a run. */
export interface Downloaded {
  /** Null if the job was removed. */
  readonly jobId: string | null;
  /** Null if it finished. */
  readonly fault: AppFault | null;
  readonly rows: number;
  readonly requests: number;
  readonly verdicts: readonly Verdict[];
}

export interface ScheduleRunOptions {
  readonly trigger: ScheduleRun["trigger"];
  readonly signal: AbortSignal;
  /** Downloads missing data: in the queue, or for the command line. */
  readonly download: (connection: OpenConnection, spec: JobSpec) => Promise<Downloaded>;
  readonly onStage?: (stage: ScheduleStage) => void;
}

/** A range with its downloads and files. */
export interface PlannedRange {
  readonly range: LedgerRange;
  readonly plan: RangePlan;
  /** Whether its files are written even if nothing changed. */
  readonly isForced: boolean;
}

/** What became of the ranges that a run worked on. */
export interface Delivery {
  readonly loads: readonly Downloaded[];
  readonly verdicts: readonly Verdict[];
  readonly files: ScheduleRun["files"];
  readonly remarks: readonly string[];
  readonly alarms: readonly string[];
  readonly delivered: number;
  /** Why the last range that was not delivered failed; null if all were. */
  readonly fault: AppFault | null;
  /** Whether the schedule was removed meanwhile: nothing more was written. */
  readonly isRemoved: boolean;
}

interface DeliveryContext {
  readonly connection: OpenConnection;
  readonly stored: StoredSchedule;
  readonly store: ScheduleStore;
  readonly jobs: Jobs;
  readonly writeGuarded: GuardedWrite;
  readonly draw: DrawFigure;
  readonly look: FigureSettings;
  readonly clock: Clock;
  readonly dataFolder: string;
}

const STATE_OF: Readonly<Record<Settlement, RangeState>> = {
  final: "final",
  unconfirmed: "unconfirmed",
  notDownloaded: "incomplete",
};
/** Ranges that touch are downloaded together, up to this span. */
const MAX_TOGETHER_MS = 31 * DAY_MS;
const NO_FILE = " No file was written.";

/**
 * Works off ranges, first due first: downloads what is missing, and writes the files of each range that was not delivered
 * yet, or got data, or became final. Each step is stored, so that a killed run continues where it was.
 *
 * @param newest the newest range of the schedule: a file that has the same name for all ranges shows this one
 */
export async function deliver(
  context: DeliveryContext,
  planned: readonly PlannedRange[],
  newest: PlannedRange | null,
  { trigger, signal, download, onStage }: ScheduleRunOptions,
): Promise<Delivery> {
  const { connection, stored, store, jobs, writeGuarded, draw, look, clock, dataFolder } = context;
  const { id, schedule } = stored;
  const { ledger } = store;
  const folder = outputFolder(schedule, dataFolder);
  const isOwnFolder = schedule.folder === null;
  const namesOf = ({ plan }: PlannedRange) => ({
    files: nameFiles(connection, plan.files, folder),
    figures: nameFigures(connection, plan.figures, folder),
  });
  const pathsOf = ({ files, figures }: ReturnType<typeof namesOf>): string[] =>
    [...files, ...figures].flatMap(({ path }) => (path.ok ? [path.value] : []));
  const newestPaths = new Set(newest === null ? [] : pathsOf(namesOf(newest)));

  const loads: Downloaded[] = [];
  const verdicts: Verdict[] = [];
  const files: ScheduleRun["files"] = [];
  const remarks: string[] = [];
  const alarms: string[] = [];
  let delivered = 0;
  let fault: AppFault | null = null;

  function put(range: LedgerRange, change: Partial<LedgerRange>): LedgerRange {
    const changed = { ...range, ...change };
    ledger.put(id, [changed]);
    return changed;
  }

  /** Downloads what these ranges lack. @returns why it ended early, or null; and its number of rows */
  async function load(together: readonly PlannedRange[]): Promise<{ fault: AppFault | null; rows: number }> {
    let rows = 0;
    for (const spec of specsOf(together)) {
      if (signal.aborted) break;
      if (trigger === "user") connection.session.profile.allow(spec.stationIds);
      const refused = jobs.refused(connection, spec);
      const open = withoutStations(spec, refused);
      verdicts.push(...refused.flatMap((station) => refusedBefore(station, spec)));
      if (open.stationIds.length === 0 || isComplete(jobs, connection, open)) continue;
      const loaded = await download(connection, open);
      loads.push(loaded);
      verdicts.push(...loaded.verdicts);
      rows += loaded.rows;
      if (loaded.fault !== null) return { fault: loaded.fault, rows };
    }
    return { fault: null, rows };
  }

  function failed(range: LedgerRange, { message, kind }: AppFault): void {
    fault = { kind, message, cause: null };
    put(range, { state: range.deliveredMs === null ? "failed" : range.state, reason: message });
  }

  /** Removes files from ranges that another range now writes. */
  function takeOver(paths: readonly string[], owner: LedgerRange): void {
    const taken = new Set(paths);
    const others = ledger
      .all(id)
      .filter((range) => !isSameRange(range, owner) && range.files.some((f) => taken.has(f.path)));
    if (others.length > 0)
      ledger.put(
        id,
        others.map((range) => ({ ...range, files: range.files.filter((file) => !taken.has(file.path)) })),
      );
  }

  async function write(one: PlannedRange, range: LedgerRange): Promise<Pick<LedgerRange, "files"> | null> {
    const named = namesOf(one);
    const isNewest = newest !== null && isSameRange(range, newest.range);
    const isOwn = ({ path }: { path: Result<string, AppFault> }): boolean =>
      isNewest || !path.ok || !newestPaths.has(path.value);
    const own = { files: named.files.filter(isOwn), figures: named.figures.filter(isOwn) };
    if (own.files.length + own.figures.length === 0) return { files: [] };
    if (isOwnFolder) await mkdir(folder, { recursive: true, mode: 0o700 });
    const earlier = earlierFiles(ledger.all(id), isOwnFolder ? folder : null);
    let current = range;
    const onWrite = (path: string): void => {
      current = put(current, { writing: [...current.writing, path] });
    };
    const writing = { earlier, onWrite, signal };
    const written = await writeFiles(connection, own.files, { ...writing, writeGuarded });
    const drawn = await drawFigures(connection, own.figures, { ...writing, look, draw });
    remarks.push(...written.remarks, ...drawn.remarks);
    const all = [...written.files, ...drawn.files];
    files.push(...all);
    if (isNewest)
      takeOver(
        all.map((file) => file.path),
        range,
      );
    if (signal.aborted) return null;
    const [problem] = written.problems;
    if (problem === undefined) return { files: all };
    // Earlier files of the others are still the schedule's, with their descriptions.
    const replaced = new Set(all.map((file) => file.path));
    const kept = range.files.filter((file) => !replaced.has(file.path));
    failed({ ...range, files: [...kept, ...all] }, { ...problem, message: distinctMessages(written.problems) });
    return null;
  }

  async function deliverOne(one: PlannedRange, rows: number): Promise<void> {
    const { range, plan } = one;
    const own = verdicts.filter((verdict) => overlap(verdict.range, range));
    const settlement = leastSettled(plan.specs.map((spec) => settlementOf(connection, spec)));
    const reception = await countReceived(connection, plan.specs[0], signal);
    if (signal.aborted) return;
    const missing = missingOf(own);
    const [cause] = missing.filter((part) => part.state === "failed" || part.state === "forbidden");
    const isEmpty = reception === null ? rows === 0 : reception.received === 0;
    if (settlement === "notDownloaded" && isEmpty && cause && range.deliveredMs === null)
      // Its files would contain only gaps.
      return failed(
        { ...range, missing },
        { kind: "service", message: (cause.reason ?? "The service did not answer.") + NO_FILE, cause: null },
      );
    const state = STATE_OF[settlement];
    const isBetter = state !== range.state;
    const change = {
      state,
      missing,
      complete: reception?.complete ?? null,
      reason: cause?.reason ?? null,
      tries: isBetter ? 1 : range.tries,
      nextTryMs: state === "final" ? null : clock.wallMs() + retryWaitMs(state, isBetter ? 1 : range.tries),
      writing: [],
    };
    const isChanged = rows > 0 || isBetter;
    if (range.deliveredMs !== null && !isChanged && !one.isForced) {
      put(range, change);
      return;
    }
    onStage?.("export");
    const isAgain = range.deliveredMs !== null && isChanged && plan.files.length > 0;
    if (reception?.sentence && !isAgain) remarks.push(prefixed(reception.sentence, range, planned.length));
    const written = await write(one, range);
    if (written === null) return;
    put(range, { ...change, ...written, deliveredMs: clock.wallMs() });
    delivered++;
    const low =
      reception === null || state === "unconfirmed" || schedule.completeBelow === null
        ? null
        : lowSentence(reception.stations, schedule.completeBelow);
    if (low !== null) alarms.push(prefixed(low, range, planned.length));
    if (isAgain) remarks.push(`${formatRange(range)}: written again, ${RANGE_STATE_WORDS[state]}.`);
  }

  const result = (isRemoved = false): Delivery => ({
    loads,
    verdicts,
    files,
    remarks,
    alarms,
    delivered,
    fault,
    isRemoved,
  });
  const waiting = planned.map((one) => ({ ...one, range: tried(one.range, clock.wallMs()) }));
  ledger.put(
    id,
    waiting.map(({ range }) => range),
  );
  for (const together of batches(waiting)) {
    if (signal.aborted) break;
    onStage?.("download");
    const loaded = await load(together);
    if (signal.aborted) break;
    if (loaded.fault !== null) {
      // It would stop the others as well: all wait for their next try.
      const message = loaded.fault.message + NO_FILE;
      for (const { range } of waiting.slice(waiting.indexOf(together[0]!))) failed(range, { ...loaded.fault, message });
      break;
    }
    for (const one of together) {
      if (signal.aborted) break;
      // With the schedule went the list of its own files, the only ones that it may replace.
      if (store.find(id) === null) return result(true);
      await deliverOne(one, loaded.rows);
    }
  }
  return result();
}

/** Stored before the work begins, so that a run that is killed again and again waits in between. */
function tried(range: LedgerRange, nowMs: UtcMs): LedgerRange {
  const tries = range.tries + 1;
  return { ...range, tries, triedMs: nowMs, nextTryMs: nowMs + retryWaitMs(range.state, tries) };
}

/** Whether two ranges are the same one of a ledger. */
export function isSameRange(a: TimeRange, b: TimeRange): boolean {
  return a.startMs === b.startMs && a.endMs === b.endMs;
}

function overlap(a: TimeRange, b: TimeRange): boolean {
  return a.startMs < b.endMs && b.startMs < a.endMs;
}

/** Groups ranges that touch, so that what several share is requested once. */
function batches<Planned extends { readonly range: LedgerRange }>(all: readonly Planned[]): Planned[][] {
  const found: Planned[][] = [];
  let span = { startMs: 0, endMs: 0 };
  for (const one of all) {
    const { startMs, endMs } = one.range;
    const joined = { startMs: Math.min(span.startMs, startMs), endMs: Math.max(span.endMs, endMs) };
    const touches = startMs <= span.endMs && endMs >= span.startMs;
    if (found.length > 0 && touches && joined.endMs - joined.startMs <= MAX_TOGETHER_MS) {
      found.at(-1)?.push(one);
      span = joined;
    } else {
      found.push([one]);
      span = { startMs, endMs };
    }
  }
  return found;
}

/** The downloads of ranges that touch: one for the schedule's own data, and those of saved exports, each once. */
function specsOf(together: readonly PlannedRange[]): JobSpec[] {
  const own = together.map(({ plan }) => plan.specs[0]);
  const [first] = own;
  if (first === undefined) return [];
  const range = {
    startMs: Math.min(...own.map((spec) => spec.range.startMs)),
    endMs: Math.max(...own.map((spec) => spec.range.endMs)),
  };
  const others = together.flatMap(({ plan }) => plan.specs.slice(1));
  return [{ ...first, range }, ...new Map(others.map((spec) => [JSON.stringify(spec), spec])).values()];
}

/** Several files can fail for the same reason, such as a missing folder. */
function distinctMessages(problems: readonly AppFault[]): string {
  return [...new Set(problems.map(({ message }) => message))].join(" ");
}

function prefixed(sentence: string, range: TimeRange, ranges: number): string {
  return ranges > 1 ? `${formatRange(range)}: ${sentence}` : sentence;
}

/** Verdicts of a station that the service refused before: scheduled runs do not request it again, but it is missing. */
function refusedBefore(stationId: string, { variables, range }: JobSpec): Verdict[] {
  const reason = "The service refused this station lately. Run the schedule by hand to request it again.";
  return variables.map((variable) => ({ stationId, variable, range, state: "forbidden", rows: 0, reason }));
}
