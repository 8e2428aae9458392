import type { KeptSchedule, ScheduleStage } from "#shared/bridge/methods/jobs.ts";
import { type AppFault, usageFailure, usageFault } from "#shared/fault.ts";
import type { ScheduleRun } from "#shared/schedule/run.ts";
import { hasSameSettings } from "#shared/edits.ts";
import { runWords, type Schedule, withEdit } from "#shared/schedule/schedule.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import { nextTime } from "#shared/schedule/when.ts";
import { MINUTE_MS, type UtcMs } from "#shared/time/utc.ts";
import { RepeatedProblems, log } from "../../log/index.ts";
import type { Clock } from "../../sync/clock.ts";
import type { Events } from "../events.ts";
import { Timers } from "../timers.ts";
import { hasFailed } from "./announce.ts";
import { isWorkedOn } from "./ledger.ts";
import { outputFolder } from "./files.ts";
import type { StoredSchedule } from "./ledger.ts";
import type { ScheduleStore } from "./scheduleStore.ts";
import { CLOSING, type ScheduleRunOptions } from "./delivery.ts";
import type { ScheduleRunner } from "./run.ts";
import type { Desktop } from "../../ports.ts";

interface SchedulerContext {
  readonly store: ScheduleStore;
  readonly runner: Pick<ScheduleRunner, "run">;
  readonly download: (signal: AbortSignal, onJob: (jobId: string) => void) => ScheduleRunOptions["download"];
  readonly events: Events;
  readonly clock: Clock;
  readonly dataFolder: string;
  /** Notifies the user of the end of a run. */
  readonly notify: (schedule: Schedule, run: ScheduleRun) => void;
}

/** Longest wait between checks: timers stop while the computer sleeps, other processes add schedules, and ranges wait for another try. */
const MAX_WAIT_MS = MINUTE_MS;
const ALREADY_RUNNING = usageFault("This schedule is running right now, here or in another program.");
const GONE = usageFault("This schedule no longer exists.");

interface CurrentRun {
  readonly stop: AbortController;
  stage: ScheduleStage | null;
  jobId: string | null;
  readonly ended: Promise<"elsewhere" | "notDue" | ScheduleRun>;
}

/** Runs schedules at their times, from the first window, or the start of the web shell, until the program ends. */
export class Schedules {
  readonly #context: SchedulerContext;
  readonly #timers;
  readonly #currentRuns = new Map<string, CurrentRun>();
  #isActive = false;
  readonly #runProblems = new RepeatedProblems((thrown) => log.error("a scheduled run could not be stored", thrown));
  readonly #listProblems = new RepeatedProblems((thrown) =>
    log.warn("schedules could not be read; trying again every minute", thrown),
  );
  readonly store: ScheduleStore;

  constructor(context: SchedulerContext) {
    this.#context = context;
    this.#timers = new Timers(context.clock);
    this.store = context.store;
  }

  list(): KeptSchedule[] {
    return this.#context.store.list().map((stored) => this.#view(stored));
  }

  /** @param before settings when the edit began: settings that somebody else changed in the meantime are kept */
  save(id: string | null, schedule: Schedule, before?: Schedule): Result<KeptSchedule, AppFault> {
    const current = id === null || before === undefined ? null : this.#context.store.find(id);
    const merged = current && before ? withEdit(current.schedule, before, schedule) : schedule;
    const answer = this.#context.store.save(id, merged, this.#context.clock.wallMs());
    if (!answer.ok) return answer;
    this.#changedAndDue();
    return success(this.#view(answer.value));
  }

  setPaused(id: string, isPaused: boolean): Result<null, AppFault> {
    const answer = this.#context.store.setPaused(id, isPaused, this.#context.clock.wallMs());
    if (answer.ok) this.#changedAndDue();
    return answer.ok ? success(null) : answer;
  }

  /** Starts a run now. */
  async run(id: string): Promise<Result<null, AppFault>> {
    const stored = this.#context.store.find(id);
    if (!stored) return failure(GONE);
    if (this.#currentRuns.has(id)) return failure(ALREADY_RUNNING);
    const current = this.#start(stored, "user");
    this.#changed();
    // Waits only until it is clear whether another process runs it; events report the end.
    const began = Promise.withResolvers<null>();
    const unsubscribe = this.#context.events.subscribe(({ name }) => {
      if (name === "schedulesChanged" && current.stage !== null) began.resolve(null);
    });
    try {
      const first = await Promise.race([current.ended, began.promise]);
      return first === "elsewhere" ? failure(ALREADY_RUNNING) : success(null);
    } finally {
      unsubscribe();
    }
  }

  /** Stops a run of this process, and waits for its end. */
  async stop(id: string): Promise<void> {
    const current = this.#currentRuns.get(id);
    current?.stop.abort();
    await current?.ended.catch(() => undefined);
  }

  /** @param before settings when the user deleted it: it is kept if somebody else changed it in the meantime */
  async remove(id: string, before?: Schedule): Promise<Result<null, AppFault>> {
    const stored = before === undefined ? null : this.#context.store.find(id);
    if (stored && before && !hasSameSettings(stored.schedule, before))
      return usageFailure(`Another window or a command has changed “${stored.schedule.name}”, so it was not deleted.`);
    await this.stop(id);
    this.#context.store.remove(id);
    this.#changedAndDue();
    return success(null);
  }

  /** Works off the ledgers from now on: ranges become due at their times, and missed ones are open already. */
  begin(): void {
    if (this.#isActive) return;
    this.#isActive = true;
    this.#check();
  }

  /** Starts no run until `begin`. Current runs continue. @returns whether it would have started some */
  rest(): boolean {
    const wasActive = this.#isActive;
    this.#isActive = false;
    this.#timers.clearAll();
    return wasActive;
  }

  /** Stops all in order; the next start repeats interrupted runs. */
  async close(): Promise<void> {
    this.#isActive = false;
    this.#timers.clearAll();
    const all = [...this.#currentRuns.values()];
    for (const current of all) current.stop.abort(CLOSING);
    await Promise.all(all.map((current) => current.ended.catch(() => undefined)));
  }

  #changed(): void {
    this.#context.events.emit("schedulesChanged", null);
  }

  #view(stored: StoredSchedule): KeptSchedule {
    const { id, schedule } = stored;
    const nowMs = this.#context.clock.wallMs();
    return {
      id,
      schedule,
      nextRunMs: schedule.isPaused ? null : nextTime(schedule.when, nowMs),
      lastRun: this.#context.store.lastRun(id, nowMs),
      stage: this.#currentRuns.get(id)?.stage ?? null,
      jobId: this.#currentRuns.get(id)?.jobId ?? null,
      folder: outputFolder(schedule, this.#context.dataFolder),
    };
  }

  #start(stored: StoredSchedule, trigger: ScheduleRun["trigger"]): CurrentRun {
    const { id, schedule } = stored;
    const stop = new AbortController();
    const onStage = (stage: ScheduleStage): void => {
      current.stage = stage;
      this.#changed();
    };
    const onJob = (jobId: string): void => {
      current.jobId = jobId;
      this.#changed();
    };
    const how: ScheduleRunOptions = {
      trigger,
      signal: stop.signal,
      download: this.#context.download(stop.signal, onJob),
      onStage,
    };
    const running = this.#context.runner.run(stored, trigger !== "user", how).then((outcome) => {
      if (typeof outcome !== "string") this.#context.notify(schedule, outcome);
      return outcome;
    });
    const ended = running.finally(() => void this.#currentRuns.delete(id));
    const current: CurrentRun = { stop, stage: null, jobId: null, ended };
    this.#currentRuns.set(id, current);
    const onStored = (): void => {
      this.#runProblems.worked(id);
      this.#changed();
    };
    current.ended.then(onStored, (thrown: unknown) => {
      // Its ranges are still open, so the next check tries again.
      this.#runProblems.failed(id, thrown);
      this.#changed();
    });
    return current;
  }

  #check(): void {
    if (!this.#isActive) return;
    let waitMs = MAX_WAIT_MS;
    try {
      const nowMs = this.#context.clock.wallMs();
      for (const stored of this.#context.store.list()) {
        const { id, schedule } = stored;
        if (schedule.isPaused) continue;
        waitMs = Math.min(waitMs, nextTime(schedule.when, nowMs) - nowMs);
        if (this.#currentRuns.has(id)) continue;
        // Why it runs is decided by the runner, when no other process can change the ledger.
        if (this.#isDue(stored, nowMs)) this.#start(stored, "time");
      }
      this.#listProblems.worked("list");
    } catch (thrown) {
      this.#listProblems.failed("list", thrown);
    }
    this.#timers.set("check", waitMs, () => this.#check());
  }

  #isDue(stored: StoredSchedule, nowMs: UtcMs): boolean {
    const { ledger } = this.#context.store;
    try {
      ledger.enter(stored, nowMs);
    } catch {
      // A planned time that cannot be stored is that of a failed run.
      return true;
    }
    return ledger.open(stored, nowMs).some((range) => isWorkedOn(range, nowMs));
  }

  #changedAndDue(): void {
    this.#changed();
    this.#check();
  }
}

/** Announces the end of runs in windows and as system notifications, never of a run that the user stopped. */
export function createRunNotifier(
  desktop: Desktop | undefined,
  events: Events,
  wantsNotices: () => boolean,
): (schedule: Schedule, run: ScheduleRun) => void {
  return (schedule, run) => {
    const { name, notice } = schedule;
    const failed = hasFailed(run);
    if (failed === null || notice === "never" || (notice === "failure" && !failed)) return;
    events.emit("scheduleEnded", { name, run });
    if (wantsNotices()) desktop?.notify?.(`Schedule “${name}”`, runWords(run));
  };
}
