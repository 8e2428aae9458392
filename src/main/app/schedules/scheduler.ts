import type { KeptSchedule, ScheduleStage } from "#shared/bridge/methods/jobs.ts";
import { type AppFault, usageFailure, usageFault } from "#shared/fault.ts";
import type { ScheduleRun } from "#shared/schedule/run.ts";
import { hasSameSettings } from "#shared/edits.ts";
import { runWords, type Schedule, withEdit } from "#shared/schedule/schedule.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import { nextTime } from "#shared/schedule/when.ts";
import { MINUTE_MS } from "#shared/time/utc.ts";
import { RepeatedProblems, log } from "../../log/index.ts";
import type { Clock } from "../../sync/clock.ts";
import type { Events } from "../events.ts";
import { createTimers } from "../jobs/timers.ts";
import { hasFailed } from "./announce.ts";
import { isWorkedOn } from "./ledger.ts";
import { outputFolder } from "./files.ts";
import type { StoredSchedule } from "./ledger.ts";
import type { ScheduleStore } from "./scheduleStore.ts";
import type { ScheduleRunOptions } from "./deliver.ts";
import { CLOSING, type ScheduleRunner } from "./run.ts";
import type { Desktop } from "../../ports.ts";

/** Runs schedules at their times, from the first window, or the start of the web shell, until the program ends. */
export interface Schedules {
  readonly store: ScheduleStore;
  list(): KeptSchedule[];
  /** @param before settings when the edit began: settings that somebody else changed in the meantime are kept */
  save(id: string | null, schedule: Schedule, before?: Schedule): Result<KeptSchedule, AppFault>;
  setPaused(id: string, isPaused: boolean): Result<null, AppFault>;
  /** Starts a run now. */
  run(id: string): Promise<Result<null, AppFault>>;
  /** Stops a run of this process, and waits for its end. */
  stop(id: string): Promise<void>;
  /** @param before settings when the user deleted it: it is kept if somebody else changed it in the meantime */
  remove(id: string, before?: Schedule): Promise<Result<null, AppFault>>;
  /** Works off the ledgers from now on: ranges become due at their times, and missed ones are open already. */
  begin(): void;
  /** Starts no run until `begin`. Current runs continue. @returns whether it would have started some */
  rest(): boolean;
  /** Stops all in order; the next start repeats interrupted runs. */
  close(): Promise<void>;
}

interface SchedulerContext {
  readonly store: ScheduleStore;
  readonly runner: ScheduleRunner;
  readonly download: (signal: AbortSignal) => ScheduleRunOptions["download"];
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
  readonly ended: Promise<"elsewhere" | "notDue" | ScheduleRun>;
}

export function createSchedules(context: SchedulerContext): Schedules {
  const { store, runner, events, clock } = context;
  const timers = createTimers(clock);
  const currentRuns = new Map<string, CurrentRun>();
  let isActive = false;

  const runProblems = new RepeatedProblems((thrown) => log.error("a scheduled run could not be stored", thrown));
  const listProblems = new RepeatedProblems((thrown) =>
    log.warn("schedules could not be read; trying again every minute", thrown),
  );

  const changed = (): void => events.emit("schedulesChanged", null);

  function view(stored: StoredSchedule): KeptSchedule {
    const { id, schedule } = stored;
    const nowMs = clock.wallMs();
    return {
      id,
      schedule,
      nextRunMs: schedule.isPaused ? null : nextTime(schedule.when, nowMs),
      lastRun: store.lastRun(id, nowMs),
      stage: currentRuns.get(id)?.stage ?? null,
      folder: outputFolder(schedule, context.dataFolder),
    };
  }

  function start(stored: StoredSchedule, trigger: ScheduleRun["trigger"]): CurrentRun {
    const { id, schedule } = stored;
    const stop = new AbortController();
    const onStage = (stage: ScheduleStage): void => {
      current.stage = stage;
      changed();
    };
    const how: ScheduleRunOptions = { trigger, signal: stop.signal, download: context.download(stop.signal), onStage };
    const running = runner.run(stored, trigger !== "user", how).then((outcome) => {
      if (typeof outcome !== "string") context.notify(schedule, outcome);
      return outcome;
    });
    const current: CurrentRun = { stop, stage: null, ended: running.finally(() => void currentRuns.delete(id)) };
    currentRuns.set(id, current);
    const onStored = (): void => {
      runProblems.worked(id);
      changed();
    };
    current.ended.then(onStored, (thrown: unknown) => {
      // Its ranges are still open, so the next check tries again.
      runProblems.failed(id, thrown);
      changed();
    });
    return current;
  }

  function check(): void {
    if (!isActive) return;
    let waitMs = MAX_WAIT_MS;
    try {
      const nowMs = clock.wallMs();
      for (const stored of store.list()) {
        const { id, schedule } = stored;
        if (schedule.isPaused) continue;
        waitMs = Math.min(waitMs, nextTime(schedule.when, nowMs) - nowMs);
        if (currentRuns.has(id)) continue;
        store.ledger.enter(stored, nowMs);
        // Why it runs is decided by the runner, when no other process can change the ledger.
        if (store.ledger.open(stored, nowMs).some((range) => isWorkedOn(range, nowMs))) start(stored, "time");
      }
      listProblems.worked("list");
    } catch (thrown) {
      listProblems.failed("list", thrown);
    }
    timers.set("check", waitMs, check);
  }

  function changedAndDue(): void {
    changed();
    check();
  }

  return {
    store,
    list: () => store.list().map(view),
    save(id, schedule, before) {
      const current = id === null || before === undefined ? null : store.find(id);
      const merged = current && before ? withEdit(current.schedule, before, schedule) : schedule;
      const answer = store.save(id, merged, clock.wallMs());
      if (!answer.ok) return answer;
      changedAndDue();
      return success(view(answer.value));
    },
    setPaused(id, isPaused) {
      const answer = store.setPaused(id, isPaused, clock.wallMs());
      if (answer.ok) changedAndDue();
      return answer.ok ? success(null) : answer;
    },
    async run(id) {
      const stored = store.find(id);
      if (!stored) return failure(GONE);
      if (currentRuns.has(id)) return failure(ALREADY_RUNNING);
      const current = start(stored, "user");
      changed();
      // Waits only until it is clear whether another process runs it; events report the end.
      const began = new Promise<null>((resolve) => {
        const stop = events.subscribe(({ name }) => {
          if (name !== "schedulesChanged" || current.stage === null) return;
          stop();
          resolve(null);
        });
      });
      const first = await Promise.race([current.ended, began]);
      return first === "elsewhere" ? failure(ALREADY_RUNNING) : success(null);
    },
    async stop(id) {
      const current = currentRuns.get(id);
      current?.stop.abort();
      await current?.ended.catch(() => undefined);
    },
    async remove(id, before) {
      const stored = before === undefined ? null : store.find(id);
      if (stored && before && !hasSameSettings(stored.schedule, before))
        return usageFailure(
          `Another window or a command has changed “${stored.schedule.name}”, so it was not deleted.`,
        );
      const current = currentRuns.get(id);
      current?.stop.abort();
      await current?.ended.catch(() => undefined);
      store.remove(id);
      changedAndDue();
      return success(null);
    },
    begin() {
      if (isActive) return;
      isActive = true;
      check();
    },
    rest() {
      const wasActive = isActive;
      isActive = false;
      timers.clearAll();
      return wasActive;
    },
    async close() {
      isActive = false;
      timers.clearAll();
      const all = [...currentRuns.values()];
      for (const current of all) current.stop.abort(CLOSING);
      await Promise.all(all.map((current) => current.ended.catch(() => undefined)));
    },
  };
}

/** Whether to notify the user of the end of a run. Never of a run that the user stopped. */
export function isWorthNotifying(
  { notice }: Pick<Schedule, "notice">,
  run: Pick<ScheduleRun, "state" | "alarms">,
): boolean {
  const failed = hasFailed(run);
  return failed !== null && notice !== "never" && (notice === "end" || failed);
}

/** Announces the end of runs in windows and as system notifications. */
export function createRunNotifier(
  desktop: Desktop | undefined,
  events: Events,
  wantsNotices: () => boolean,
): (schedule: Schedule, run: ScheduleRun) => void {
  return (schedule, run) => {
    if (!isWorthNotifying(schedule, run)) return;
    const { name } = schedule;
    events.emit("scheduleEnded", { name, run });
    if (wantsNotices()) desktop?.notify?.(`Schedule “${name}”`, runWords(run));
  };
}
