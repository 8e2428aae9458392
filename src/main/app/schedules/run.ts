import { type AppFault, usageFailure } from "#shared/fault.ts";
import { type LedgerRange, nextTryAt } from "#shared/schedule/ledger.ts";
import type { ScheduleRun } from "#shared/schedule/run.ts";
import type { Schedule } from "#shared/schedule/schedule.ts";
import { nextTime } from "#shared/schedule/when.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import { hull, rangeSet } from "#shared/time/rangeset.ts";
import { startOfDay, type UtcMs } from "#shared/time/utc.ts";
import { faultOf } from "../../fault.ts";
import { log } from "../../log/index.ts";
import type { OpenConnection } from "../connections/connections.ts";
import { vectorFormat } from "../exports/figure.ts";
import { fromFileFault } from "../connections/connectionRecords.ts";
import { announce } from "./announce.ts";
import { UnstoredRuns } from "./unstoredRuns.ts";
import { changedRanges } from "./changed.ts";
import { deliver } from "./deliver.ts";
import {
  abortedState,
  CLOSING,
  failedBy,
  isSameRange,
  newRun,
  openSentence,
  type PlannedRange,
  type RunnerContext,
  type ScheduleRunOptions,
  shortened,
  silenceAlarms,
  runState,
  triggerOf,
} from "./delivery.ts";
import { missingOf } from "./incomplete.ts";
import { isWorkedOn, type StoredSchedule } from "./ledger.ts";
import { neededFrom, planRange, type SavedOutputs, stationsOrFault } from "./plan.ts";
import { forgetOld } from "./retention.ts";

/** A run that ended; or why none was started: another process is running it, or has done so. */
type RunOutcome = ScheduleRun | "elsewhere" | "notDue";

const REMOVED_BEFORE_FILES =
  "The schedule was removed during this run, so no file was written. Files of earlier runs stay as they are, and downloaded data stay in the cache.";
const REMOVED_AFTER_FILES = "The schedule was removed during this run. Its files stay, and no old data were deleted.";

export class ScheduleRunner {
  readonly #context: RunnerContext;
  readonly #unstored = new UnstoredRuns();

  constructor(context: RunnerContext) {
    this.#context = context;
  }

  /**
   * Works off the ledger of a schedule, once at a time among all processes of the data folder, and stores the run, including
   * its faults.
   *
   * @param onlyDue whether to do nothing if no range waits for a try; otherwise all open ranges are tried, and the one of
   *   the present time
   * @throws StoreError if user.db cannot be read or written, after whoever the schedule names was told
   */
  async run(requested: StoredSchedule, onlyDue: boolean, options: ScheduleRunOptions): Promise<RunOutcome> {
    try {
      return await this.#run(requested, onlyDue, options);
    } catch (thrown) {
      const { clock } = this.#context;
      await this.#unstored.tell(requested, { thrown, onlyDue, nowMs: clock.wallMs(), signal: options.signal });
      throw thrown;
    }
  }

  async #run(requested: StoredSchedule, onlyDue: boolean, options: ScheduleRunOptions): Promise<RunOutcome> {
    const { store, clock } = this.#context;
    const opened = await this.#openConnection(requested.schedule);
    if (!opened.ok) {
      const ranges = this.#toTry(requested, onlyDue, clock.wallMs(), false).ranges;
      if (onlyDue && ranges.length === 0) return "notDue";
      const run = newRun(requested.id, options.trigger, clock.wallMs());
      store.putRun(run);
      const failed = this.#end(run, this.#failAll(requested, ranges, opened.error));
      return this.#told(requested.schedule, failed, options.signal);
    }
    const connection = opened.value;
    const release = connection.session.claims.claimJob(`schedule ${requested.id}`);
    if (release === null) return "elsewhere";
    try {
      // Another process may have run or changed it meanwhile.
      const stored = store.find(requested.id);
      if (stored === null) return "notDue";
      const nowMs = clock.wallMs();
      if (onlyDue && stored.schedule.isPaused) return "notDue";
      const { ranges: waiting, present } = this.#toTry(stored, onlyDue, nowMs, !onlyDue);
      const last = store.lastRun(stored.id, nowMs);
      // Comparing all ranges takes a while after years.
      const compares = !onlyDue || last === null || startOfDay(last.startedMs) !== startOfDay(nowMs);
      const changed = compares ? changedRanges(connection, stored, { store, saved: this.#saved(), nowMs }) : [];
      const ranges = [...waiting, ...changed.filter((one) => !waiting.some((other) => isSameRange(one, other)))];
      if (onlyDue && ranges.length === 0) return "notDue";
      this.#markInterrupted(store.runs(stored.id));
      const trigger = onlyDue ? triggerOf(ranges, nowMs) : options.trigger;
      const run = newRun(stored.id, trigger, nowMs);
      store.putRun(run);
      const how = { ...options, trigger };
      const result = await this.#work(connection, stored, { ranges, present }, how).catch((thrown: unknown) => {
        log.error("a scheduled run failed", thrown);
        return options.signal.aborted ? abortedState(options.signal) : failedBy(faultOf(thrown));
      });
      const ended = this.#end(run, result);
      await this.#removeFinishedJobs(stored.id, ended.id);
      return await this.#told(stored.schedule, ended, options.signal);
    } finally {
      release();
    }
  }

  /**
   * Enters what became due, and returns the ranges that wait for a try; with the one of the present time, which is delivered
   * again even if it is final, because the user may have removed its files.
   */
  #toTry(stored: StoredSchedule, onlyDue: boolean, nowMs: UtcMs, withPresent: boolean) {
    const { ledger } = this.#context.store;
    ledger.enter(stored, nowMs);
    ledger.closeOld(stored, nowMs);
    const present = withPresent ? ledger.enterNow(stored, nowMs) : null;
    const open = ledger.open(stored, nowMs).filter((range) => !onlyDue || isWorkedOn(range, nowMs));
    const isAmong = present === null || open.some((range) => isSameRange(range, present));
    return { present, ranges: isAmong ? open : [...open, present] };
  }

  #saved(): SavedOutputs {
    return { savedExports: this.#context.savedExports, savedFormat: vectorFormat(this.#context.look()) };
  }

  async #openConnection({ connectionId }: Schedule): Promise<Result<OpenConnection, AppFault>> {
    const record = this.#context.connections.find(connectionId);
    if (!record) return usageFailure("The connection of this schedule no longer exists.");
    const fault = fromFileFault(record);
    if (fault) return failure(fault);
    try {
      return success(await this.#context.connections.open(record));
    } catch (thrown) {
      return failure(faultOf(thrown));
    }
  }

  #end(run: ScheduleRun, change: Partial<ScheduleRun>): ScheduleRun {
    const ended = { ...run, ...change, endedMs: this.#context.clock.wallMs() };
    this.#context.store.putRun(ended);
    log.info(`a scheduled run ended: ${ended.state}`, ended.reason ?? undefined);
    return ended;
  }

  /** Marks runs that an earlier process did not finish. */
  #markInterrupted(runs: readonly ScheduleRun[]): void {
    for (const old of runs.filter((run) => run.state === "running"))
      this.#end(old, { state: "interrupted", reason: "The program ended before the run did." });
  }

  /** Records a fault that stops the whole run for all ranges that it should have worked on. */
  #failAll({ id }: StoredSchedule, ranges: readonly LedgerRange[], fault: AppFault): Partial<ScheduleRun> {
    const nowMs = this.#context.clock.wallMs();
    const failed = ranges.map((range): LedgerRange => {
      const tries = range.tries + 1;
      const state = range.deliveredMs === null ? "failed" : range.state;
      return {
        ...range,
        state,
        tries,
        triedMs: nowMs,
        nextTryMs: nextTryAt(state, tries, nowMs),
        reason: fault.message,
      };
    });
    this.#context.store.ledger.put(id, failed);
    return { ...failedBy(fault), range: hull(rangeSet(ranges)), ranges: ranges.length };
  }

  async #work(
    connection: OpenConnection,
    stored: StoredSchedule,
    { ranges, present }: { readonly ranges: readonly LedgerRange[]; readonly present: LedgerRange | null },
    options: ScheduleRunOptions,
  ): Promise<Partial<ScheduleRun>> {
    const { signal } = options;
    const { id, schedule } = stored;
    const { ledger } = this.#context.store;
    const stationIds = stationsOrFault(connection, schedule);
    if (!stationIds.ok) return this.#failAll(stored, ranges, stationIds.error);
    const look = this.#context.look();
    const saved = this.#saved();
    const planned: PlannedRange[] = [];
    for (const range of ranges) {
      const isForced = present !== null && isSameRange(range, present);
      // A station that has left the group since stays in the files that it is in.
      const own = isForced ? null : ledger.stationsOf(id, range);
      const plan = planRange(schedule, own ?? stationIds.value, range, saved);
      if (!plan.ok) return this.#failAll(stored, ranges, plan.error);
      planned.push({ range, plan: plan.value, isForced });
    }
    const nowMs = this.#context.clock.wallMs();
    const done = await deliver({ ...this.#context, connection, stored, look }, planned, options);
    const { loads, files, fault, delivered } = done;
    const remarks = shortened(done.remarks);
    // Another try of a range says nothing new about the stations.
    const isRetry = options.trigger === "retry";
    const silence = isRetry ? [] : await silenceAlarms(connection, stored, stationIds.value, signal);
    const all = {
      range: hull(rangeSet(ranges)),
      ranges: ranges.length,
      delivered,
      stations: stationIds.value.length,
      rows: loads.reduce((sum, l) => sum + l.rows, 0),
      requests: loads.reduce((sum, l) => sum + l.requests, 0),
      missing: missingOf(done.verdicts),
      jobIds: loads.flatMap((l) => l.jobId ?? []),
      files,
      remarks,
      alarms: [...done.alarms, ...silence],
    };
    if (signal.aborted) {
      this.#postpone(stored, ranges, signal);
      return { ...all, ...abortedState(signal) };
    }
    if (done.isRemoved) return { ...all, state: "stopped", reason: REMOVED_BEFORE_FILES, faultKind: "cancelled" };
    let forgottenRows = 0;
    if (this.#context.store.find(id) === null) remarks.push(REMOVED_AFTER_FILES);
    else if (fault === null) {
      const forgotten = await this.#forgetOld(connection, schedule, stationIds.value, { planned, saved, ...options });
      forgottenRows = forgotten.rows;
      if (forgotten.remark !== null) remarks.push(forgotten.remark);
    }
    const ended = { ...all, forgottenRows };
    if (fault !== null && delivered === 0) return { ...ended, ...failedBy(fault) };
    const unfinished = ledger.unfinished(id, nowMs);
    const open = openSentence(unfinished, schedule.catchUpDays);
    return {
      ...ended,
      state: runState(unfinished),
      reason: null,
      remarks: open === null ? remarks : [[open, fault?.message ?? ""].join(" ").trim(), ...remarks],
    };
  }

  /** Deletes data that are older than the schedule keeps them. */
  async #forgetOld(
    connection: OpenConnection,
    { keepDays, variables }: Schedule,
    stationIds: readonly string[],
    {
      planned,
      saved,
      signal,
      onStage,
    }: Pick<ScheduleRunOptions, "signal" | "onStage"> & {
      readonly planned: readonly PlannedRange[];
      readonly saved: SavedOutputs;
    },
  ): Promise<{ readonly rows: number; readonly remark: string | null }> {
    if (keepDays === null) return { rows: 0, remark: null };
    onStage?.("forget");
    const specs = planned.flatMap(({ plan }) => plan.specs);
    return forgetOld(connection, { stationIds, variables }, keepDays, {
      wallMs: this.#context.clock.wallMs(),
      neededFromMs: (timeMs) => neededFrom(connection, { store: this.#context.store, saved }, specs, timeMs),
      jobs: this.#context.queue.list(),
      signal,
    });
  }

  /** After a stop by the user, ranges wait for the next planned time; after the end of the program, for its start. */
  #postpone({ id, schedule }: StoredSchedule, ranges: readonly LedgerRange[], { reason }: AbortSignal): void {
    const nowMs = this.#context.clock.wallMs();
    const nextTryMs = reason === CLOSING ? null : nextTime(schedule.when, nowMs);
    const { ledger } = this.#context.store;
    const open = ranges.flatMap((range) => ledger.find(id, range) ?? []).filter(({ state }) => state !== "final");
    ledger.put(
      id,
      open.map((range) => ({ ...range, nextTryMs })),
    );
  }

  /** Tells whoever the schedule names of the end of a run. */
  async #told(schedule: Schedule, run: ScheduleRun, signal: AbortSignal): Promise<ScheduleRun> {
    const problems = await announce(schedule, run, signal);
    if (problems.length === 0) return run;
    const all = { ...run, remarks: [...run.remarks, ...problems] };
    this.#context.store.putRun(all);
    return all;
  }

  /** Removes finished downloads of earlier runs from the list of jobs, except downloads that explain missing data. */
  async #removeFinishedJobs(scheduleId: string, lastId: string): Promise<void> {
    const known = new Map(this.#context.queue.list().map((job) => [job.id, job]));
    const ids = this.#context.store.runs(scheduleId).flatMap((run) => (run.id === lastId ? [] : run.jobIds));
    for (const id of ids) {
      const { state, verdictCounts } = known.get(id) ?? {};
      const explainsGaps = (verdictCounts?.failed ?? 0) + (verdictCounts?.forbidden ?? 0) > 0;
      if (state === "finished" && !explainsGaps) await this.#context.queue.remove(id);
    }
  }
}
