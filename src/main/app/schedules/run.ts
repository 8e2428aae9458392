import { randomUUID } from "node:crypto";
import type { ScheduleStage } from "#shared/bridge/methods/jobs.ts";
import { type AppFault, usageFailure } from "#shared/fault.ts";
import type { FigureSettings } from "#shared/file/figure.ts";
import { type JobSpec, withoutStations } from "#shared/job/job.ts";
import type { Verdict } from "#shared/job/verdict.ts";
import type { ScheduleRun } from "#shared/schedule/run.ts";
import type { Schedule } from "#shared/schedule/schedule.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import { faultOf } from "../../fault.ts";
import { log } from "../../log/index.ts";
import type { Clock } from "../../sync/clock.ts";
import type { Connections, OpenConnection } from "../connections/connections.ts";
import { isComplete } from "../exports/fetchFirst.ts";
import type { DrawFigure } from "../exports/figure.ts";
import type { JournaledWriter } from "../storage/journal.ts";
import { type SavedExports, vectorFormat } from "../exports/saved.ts";
import { fromFileFault } from "../connections/connectionRecords.ts";
import type { Jobs } from "../jobs/jobs.ts";
import type { JobQueue } from "../jobs/queue.ts";
import { checkDue } from "./due.ts";
import { drawFigures, earlierFiles, outputFolder, writeFiles } from "./files.ts";
import type { ScheduleStore, StoredSchedule } from "./scheduleStore.ts";
import { describeIncomplete, missingOf } from "./incomplete.ts";
import { neededFrom, planRun } from "./plan.ts";
import { forgetOld } from "./retention.ts";

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

/** A run that ended; or why none was started: another process is running it, or has done so. */
type RunOutcome = ScheduleRun | "elsewhere" | "notDue";

export interface ScheduleRunner {
  /**
   * Runs a schedule once among all processes of the data folder, and stores the run, including its faults.
   *
   * @param onlyDue whether to do nothing if no planned time has passed
   * @throws StoreError if user.db cannot be read or written
   */
  run(stored: StoredSchedule, onlyDue: boolean, options: ScheduleRunOptions): Promise<RunOutcome>;
}

interface RunnerContext {
  readonly store: ScheduleStore;
  readonly connections: Pick<Connections, "find" | "open">;
  readonly jobs: Jobs;
  readonly queue: Pick<JobQueue, "list" | "remove">;
  readonly savedExports: Pick<SavedExports, "find">;
  readonly writeJournaled: JournaledWriter;
  readonly draw: DrawFigure;
  /** The user's settings for saved figures. */
  readonly look: () => FigureSettings;
  readonly clock: Clock;
  readonly dataFolder: string;
}

/** Abort reason of a run that the next start of the program repeats. */
export const CLOSING = "closing";

function abortedState({ reason }: AbortSignal): Partial<ScheduleRun> {
  return reason === CLOSING
    ? { state: "interrupted", reason: "The program was closed before the run ended." }
    : { state: "stopped", reason: "The run was stopped.", faultKind: "cancelled" };
}

/** Several files can fail for the same reason, such as a missing folder. */
function distinctMessages(problems: readonly AppFault[]): string {
  return [...new Set(problems.map(({ message }) => message))].join(" ");
}

function failedBy({ message, kind }: AppFault, consequence = ""): Partial<ScheduleRun> {
  return { state: "failed", reason: message + consequence, faultKind: kind };
}

const NO_FILE = " No file was written.";
const REMOVED_BEFORE_FILES =
  "The schedule was removed during this run, so no file was written. Files of earlier runs stay as they are, and downloaded data stay in the cache.";
const REMOVED_AFTER_FILES = "The schedule was removed during this run. Its files stay, and no old data were deleted.";

export function createScheduleRunner(context: RunnerContext): ScheduleRunner {
  const { store, connections, jobs, queue, savedExports, writeJournaled, draw, look, clock, dataFolder } = context;

  async function openConnection({ connectionId }: Schedule): Promise<Result<OpenConnection, AppFault>> {
    const record = connections.find(connectionId);
    if (!record) return usageFailure("The connection of this schedule no longer exists.");
    const fault = fromFileFault(record);
    if (fault) return failure(fault);
    try {
      return success(await connections.open(record));
    } catch (thrown) {
      return failure(faultOf(thrown));
    }
  }

  /** A run as it is stored before any work is done. */
  function newRun(stored: StoredSchedule, trigger: ScheduleRun["trigger"]): ScheduleRun {
    return {
      id: randomUUID(),
      scheduleId: stored.id,
      startedMs: clock.wallMs(),
      endedMs: null,
      trigger,
      state: "running",
      reason: null,
      faultKind: null,
      range: null,
      stations: 0,
      rows: 0,
      requests: 0,
      missing: [],
      remarks: [],
      files: [],
      forgottenRows: 0,
      jobIds: [],
    };
  }

  function end(run: ScheduleRun, change: Partial<ScheduleRun>): ScheduleRun {
    const ended = { ...run, ...change, endedMs: clock.wallMs() };
    store.putRun(ended);
    log.info(`a scheduled run ended: ${ended.state}`, ended.reason ?? undefined);
    return ended;
  }

  /** Marks runs that an earlier process did not finish. */
  function markInterrupted(runs: readonly ScheduleRun[]): void {
    for (const old of runs.filter((run) => run.state === "running"))
      end(old, { state: "interrupted", reason: "The program ended before the run did." });
  }

  async function work(
    connection: OpenConnection,
    stored: StoredSchedule,
    { trigger, signal, download, onStage }: ScheduleRunOptions,
  ): Promise<Partial<ScheduleRun>> {
    const { schedule } = stored;
    const nowMs = connection.session.serverNowMs();
    const figureSettings = look();
    const planned = planRun(connection, schedule, nowMs, savedExports, vectorFormat(figureSettings));
    if (!planned.ok) return failedBy(planned.error);
    const { specs, files, figures: wantedFigures, range, stationIds } = planned.value;
    const done = { range, stations: stationIds.length };
    onStage?.("download");
    const loads: Downloaded[] = [];
    const verdicts: Verdict[] = [];
    for (const spec of specs) {
      if (signal.aborted) break;
      const refused = trigger === "user" ? [] : jobs.forbidden(schedule.connectionId, spec);
      const open = withoutStations(spec, refused);
      verdicts.push(...refused.flatMap((id) => refusedBefore(id, spec)));
      if (open.stationIds.length === 0 || isComplete(jobs, connection, open)) continue;
      const loaded = await download(connection, open);
      loads.push(loaded);
      verdicts.push(...loaded.verdicts);
      if (loaded.fault !== null) break;
    }
    const statistics = {
      ...done,
      rows: loads.reduce((sum, l) => sum + l.rows, 0),
      requests: loads.reduce((sum, l) => sum + l.requests, 0),
      missing: missingOf(verdicts),
      jobIds: loads.flatMap((l) => l.jobId ?? []),
    };
    if (signal.aborted) return { ...statistics, ...abortedState(signal) };
    const fault = loads.at(-1)?.fault ?? null;
    if (fault !== null) return { ...statistics, ...failedBy(fault, NO_FILE) };
    const failed = verdicts.find((v) => v.state === "failed");
    // Its files would contain only gaps.
    if (failed && statistics.rows === 0 && loads.length > 0) {
      const message = failed.reason ?? "The service did not answer.";
      return { ...statistics, ...failedBy({ kind: "service", message, cause: null }, NO_FILE) };
    }
    const folder = outputFolder(schedule, dataFolder);
    const isOwnFolder = schedule.folder === null;
    const earlier = earlierFiles(store.runs(stored.id), isOwnFolder ? folder : null);
    // With the schedule went the list of its own files, the only ones that it may replace.
    if (store.find(stored.id) === null)
      return { ...statistics, state: "stopped", reason: REMOVED_BEFORE_FILES, faultKind: "cancelled" };
    onStage?.("export");
    const written = await writeFiles(connection, files, {
      folder,
      isOwnFolder,
      earlier,
      writeJournaled,
      signal,
    });
    const drawn = await drawFigures(connection, wantedFigures, { folder, look: figureSettings, earlier, draw, signal });
    const [first] = specs;
    const incomplete = first === undefined ? null : await describeIncomplete(connection, first, signal);
    const outputs = {
      files: [...written.files, ...drawn.files],
      remarks: [...(incomplete === null ? [] : [incomplete]), ...written.remarks, ...drawn.remarks],
    };
    if (signal.aborted) return { ...statistics, ...outputs, ...abortedState(signal) };
    let forgottenRows = 0;
    if (store.find(stored.id) === null) outputs.remarks.push(REMOVED_AFTER_FILES);
    else if (schedule.keepDays !== null) {
      onStage?.("forget");
      const forgotten = await forgetOld(connection, specs[0], schedule.keepDays, {
        wallMs: clock.wallMs(),
        neededFromMs: (timeMs) => neededFrom(connection, store, specs, timeMs),
        jobs: queue.list(),
        signal,
      });
      forgottenRows = forgotten.rows;
      if (forgotten.remark !== null) outputs.remarks.push(forgotten.remark);
    }
    const all = { ...statistics, ...outputs, forgottenRows };
    const [problem] = written.problems;
    if (problem) return { ...all, ...failedBy({ ...problem, message: distinctMessages(written.problems) }) };
    const isIncomplete = verdicts.some((v) => v.state === "failed" || v.state === "forbidden");
    return { ...all, state: isIncomplete ? "incomplete" : "ok", reason: null };
  }

  /** Removes finished downloads of earlier runs from the list of jobs, except downloads that explain missing data. */
  async function removeFinishedJobs(scheduleId: string, lastId: string): Promise<void> {
    const known = new Map(queue.list().map((job) => [job.id, job]));
    const ids = store.runs(scheduleId).flatMap((run) => (run.id === lastId ? [] : run.jobIds));
    for (const id of ids) {
      const { state, verdictCounts } = known.get(id) ?? {};
      const explainsGaps = (verdictCounts?.failed ?? 0) + (verdictCounts?.forbidden ?? 0) > 0;
      if (state === "finished" && !explainsGaps) await queue.remove(id);
    }
  }

  return {
    async run(requested, onlyDue, options) {
      const opened = await openConnection(requested.schedule);
      if (!opened.ok) {
        const run = newRun(requested, options.trigger);
        store.putRun(run, run.startedMs);
        return end(run, failedBy(opened.error));
      }
      const connection = opened.value;
      const release = connection.session.claims.claimJob(`schedule ${requested.id}`);
      if (release === null) return "elsewhere";
      try {
        // Another process may have run it meanwhile.
        const stored = store.find(requested.id);
        const before = stored ? store.runs(stored.id) : [];
        const trigger = onlyDue && stored ? checkDue(store, stored, clock.wallMs()) : options.trigger;
        if (!stored || trigger === null) return "notDue";
        markInterrupted(before);
        const run = newRun(stored, trigger);
        store.putRun(run, run.startedMs);
        const result = await work(connection, stored, { ...options, trigger }).catch((thrown: unknown) => {
          log.error("a scheduled run failed", thrown);
          if (options.signal.aborted) return abortedState(options.signal);
          return failedBy(faultOf(thrown));
        });
        const ended = end(run, result);
        await removeFinishedJobs(stored.id, ended.id);
        return ended;
      } finally {
        release();
      }
    },
  };
}

/** Verdicts of a station that the service refused before: scheduled runs do not request it again, but it is missing. */
function refusedBefore(stationId: string, { variables, range }: JobSpec): Verdict[] {
  const reason = "The service refused this station the last time. Run the schedule by hand to request it again.";
  return variables.map((variable) => ({ stationId, variable, range, state: "forbidden", rows: 0, reason }));
}
