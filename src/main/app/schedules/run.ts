import { randomUUID } from "node:crypto";
import type { ScheduleStage } from "#shared/bridge/methods/schedules.ts";
import { type AppFault, usageFault } from "#shared/fault.ts";
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
import { isComplete } from "../exports/complete.ts";
import type { DrawFigure } from "../exports/figure.ts";
import type { NotedWriter } from "../exports/noted.ts";
import { vectorFormat } from "../exports/savedFigure.ts";
import type { SavedExports } from "../exports/saved.ts";
import { fromFileFault } from "../connections/connectionRecords.ts";
import type { Jobs } from "../jobs/jobs.ts";
import type { JobQueue } from "../jobs/queue.ts";
import { dueTrigger } from "./due.ts";
import { drawFigures } from "./figures.ts";
import { folderOf, writeFiles } from "./files.ts";
import type { KeptSchedules, StoredSchedule } from "./kept.ts";
import { lackingIn } from "./lacking.ts";
import { missingOf } from "./missing.ts";
import { neededFrom, planRun } from "./plan.ts";
import { deletableBefore, forgetBefore } from "./retention.ts";

/** How a download for a run ended. */
export interface Downloaded {
  /** null where it is in no list any more. */
  readonly jobId: string | null;
  /** null where it came to its end; else why it did not. */
  readonly fault: AppFault | null;
  readonly rows: number;
  readonly requests: number;
  readonly verdicts: readonly Verdict[];
}

export interface RunHow {
  readonly trigger: ScheduleRun["trigger"];
  readonly signal: AbortSignal;
  /** Brings what the cache lacks, in whatever way the program downloads. */
  readonly download: (connection: OpenConnection, spec: JobSpec) => Promise<Downloaded>;
  readonly onStage?: (stage: ScheduleStage) => void;
}

/** A run that ended; or why there was none: another program has it, or made it already. */
export type RunOutcome = ScheduleRun | "elsewhere" | "notDue";

export interface ScheduleRunner {
  /**
   * Runs a schedule once among all programs of the data folder, and keeps what became of it. What goes wrong in it is in
   * the run.
   *
   * @param onlyDue whether it is left alone where no planned time has passed
   * @throws StoreError where user.db cannot be read or written
   */
  run(stored: StoredSchedule, onlyDue: boolean, how: RunHow): Promise<RunOutcome>;
}

export interface RunnerContext {
  readonly kept: KeptSchedules;
  readonly connections: Pick<Connections, "find" | "open">;
  readonly jobs: Jobs;
  readonly queue: Pick<JobQueue, "list" | "remove">;
  readonly savedExports: Pick<SavedExports, "find">;
  readonly noted: NotedWriter;
  readonly draw: DrawFigure;
  /** How the user saves figures. */
  readonly look: () => FigureSettings;
  readonly clock: Clock;
  readonly dataFolder: string;
}

/** Why a run is aborted that the next start of the program makes anew. */
export const CLOSING = "closing";

function stopped({ reason }: AbortSignal): Partial<ScheduleRun> {
  return reason === CLOSING
    ? { state: "interrupted", reason: "The program was closed before the run ended." }
    : { state: "stopped", reason: "The run was stopped.", faultKind: "cancelled" };
}

function failedBy({ message, kind }: AppFault, consequence = ""): Partial<ScheduleRun> {
  return { state: "failed", reason: message + consequence, faultKind: kind };
}

const NO_FILE = " No file was written.";

export function createScheduleRunner(context: RunnerContext): ScheduleRunner {
  const { kept, connections, jobs, queue, savedExports, noted, draw, look, clock, dataFolder } = context;

  async function openOf({ connectionId }: Schedule): Promise<Result<OpenConnection, AppFault>> {
    const record = connections.find(connectionId);
    if (!record) return failure(usageFault("The connection of this schedule is gone."));
    const fault = fromFileFault(record);
    if (fault) return failure(fault);
    try {
      return success(await connections.open(record));
    } catch (thrown) {
      return failure(faultOf(thrown));
    }
  }

  /** What of a run stands before any work is done. */
  function begun(stored: StoredSchedule, trigger: ScheduleRun["trigger"]): ScheduleRun {
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
    kept.putRun(ended);
    log.info(`a scheduled run ended: ${ended.state}`, ended.reason ?? undefined);
    return ended;
  }

  /** What earlier programs did not bring to an end. */
  function settleOld(runs: readonly ScheduleRun[]): void {
    for (const old of runs.filter((run) => run.state === "running"))
      end(old, { state: "interrupted", reason: "The program ended before the run did." });
  }

  async function work(
    connection: OpenConnection,
    stored: StoredSchedule,
    { trigger, signal, download, onStage }: RunHow,
  ): Promise<Partial<ScheduleRun>> {
    const { schedule } = stored;
    const nowMs = connection.session.serverNowMs();
    const looks = look();
    const planned = planRun(connection, schedule, nowMs, savedExports, vectorFormat(looks));
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
    const figures = {
      ...done,
      rows: loads.reduce((sum, l) => sum + l.rows, 0),
      requests: loads.reduce((sum, l) => sum + l.requests, 0),
      missing: missingOf(verdicts),
      jobIds: loads.flatMap((l) => l.jobId ?? []),
    };
    if (signal.aborted) return { ...figures, ...stopped(signal) };
    const fault = loads.at(-1)?.fault ?? null;
    if (fault !== null) return { ...figures, ...failedBy(fault, NO_FILE) };
    const failed = verdicts.find((v) => v.state === "failed");
    // Files of such a run would be files of holes.
    if (failed && figures.rows === 0 && loads.length > 0) {
      const message = failed.reason ?? "The service did not answer.";
      return { ...figures, ...failedBy({ kind: "service", message, cause: null }, NO_FILE) };
    }
    onStage?.("export");
    const own = new Set(kept.runs(stored.id).flatMap((one) => one.files.map((file) => file.path)));
    const folder = folderOf(schedule, dataFolder);
    const written = await writeFiles(connection, files, {
      folder,
      isOwnFolder: schedule.folder === null,
      own,
      noted,
      signal,
    });
    const drawn = await drawFigures(connection, wantedFigures, { folder, look: looks, own, draw, signal });
    const [first] = specs;
    const lacking = first === undefined ? null : await lackingIn(connection, first, signal);
    const made = {
      files: [...written.files, ...drawn.files],
      remarks: [...(lacking === null ? [] : [lacking]), ...drawn.remarks],
    };
    if (signal.aborted) return { ...figures, ...made, ...stopped(signal) };
    let forgottenRows = 0;
    if (schedule.keepDays !== null) {
      onStage?.("forget");
      const beforeMs = deletableBefore(schedule.keepDays, nowMs, neededFrom(connection, kept, specs, nowMs));
      forgottenRows = await forgetBefore(connection, specs[0], beforeMs, queue.list(), signal);
    }
    const all = { ...figures, ...made, forgottenRows };
    const [problem] = written.problems;
    if (problem)
      return { ...all, ...failedBy({ ...problem, message: written.problems.map((p) => p.message).join(" ") }) };
    const withheld = verdicts.some((v) => v.state === "failed" || v.state === "forbidden");
    return { ...all, state: withheld ? "incomplete" : "ok", reason: null };
  }

  /** Downloads of earlier runs stay in the list of jobs only where they tell why something is missing. */
  async function tidyJobs(scheduleId: string, lastId: string): Promise<void> {
    const known = new Map(queue.list().map((job) => [job.id, job]));
    const ids = kept.runs(scheduleId).flatMap((run) => (run.id === lastId ? [] : run.jobIds));
    for (const id of ids) {
      const { state, verdictCounts } = known.get(id) ?? {};
      const tells = (verdictCounts?.failed ?? 0) + (verdictCounts?.forbidden ?? 0) > 0;
      if (state === "finished" && !tells) await queue.remove(id);
    }
  }

  return {
    async run(asked, onlyDue, how) {
      const opened = await openOf(asked.schedule);
      if (!opened.ok) {
        const run = begun(asked, how.trigger);
        kept.putRun(run, run.startedMs);
        return end(run, failedBy(opened.error));
      }
      const connection = opened.value;
      const release = connection.session.claims.claimJob(`schedule ${asked.id}`);
      if (release === null) return "elsewhere";
      try {
        // Another program may have run it since it was looked at.
        const stored = kept.find(asked.id);
        const before = stored ? kept.runs(stored.id) : [];
        const trigger = onlyDue && stored ? dueTrigger(stored, before, clock.wallMs()) : how.trigger;
        if (!stored || trigger === null) return "notDue";
        settleOld(before);
        const run = begun(stored, trigger);
        kept.putRun(run, run.startedMs);
        const result = await work(connection, stored, { ...how, trigger }).catch((thrown: unknown) => {
          log.error("a scheduled run failed", thrown);
          if (how.signal.aborted) return stopped(how.signal);
          return failedBy(faultOf(thrown));
        });
        const ended = end(run, result);
        await tidyJobs(stored.id, ended.id);
        return ended;
      } finally {
        release();
      }
    },
  };
}

/** Stations that the service refused before are not asked again by each run, and missing all the same. */
function refusedBefore(stationId: string, { variables, range }: JobSpec): Verdict[] {
  const reason = "The service refused this station to the key the last time. Run the schedule by hand to ask again.";
  return variables.map((variable) => ({ stationId, variable, range, state: "forbidden", rows: 0, reason }));
}
