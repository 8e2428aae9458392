import type { KeptSchedule, ScheduleStage } from "#shared/bridge/methods/schedules.ts";
import { type AppFault, usageFault } from "#shared/fault.ts";
import type { ScheduleRun } from "#shared/schedule/run.ts";
import type { Schedule } from "#shared/schedule/schedule.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import { MINUTE_MS } from "#shared/time/utc.ts";
import { log } from "../../log/index.ts";
import type { Clock } from "../../sync/clock.ts";
import type { Events } from "../events.ts";
import { createTimers } from "../jobs/timers.ts";
import { dueTrigger, plannedTime } from "./due.ts";
import { folderOf } from "./files.ts";
import type { KeptSchedules, StoredSchedule } from "./kept.ts";
import { CLOSING, type RunHow, type ScheduleRunner } from "./run.ts";

/** Schedules at work: they run at their times from the first window on, until the program ends. */
export interface Schedules {
  readonly kept: KeptSchedules;
  list(): KeptSchedule[];
  save(id: string | null, schedule: Schedule): Result<KeptSchedule, AppFault>;
  setPaused(id: string, isPaused: boolean): Result<null, AppFault>;
  /** Starts a run now. */
  run(id: string): Promise<Result<null, AppFault>>;
  /** Stops a run under way here, and waits for its end. */
  stop(id: string): Promise<void>;
  remove(id: string): Promise<void>;
  /** Runs at their times from now on, and what was missed at once. */
  begin(): void;
  /** Starts none, until `begin`. What is under way goes on. */
  rest(): void;
  /** Stops all, in order; a run under way is made anew by the next start. */
  close(): Promise<void>;
}

export interface SchedulerContext {
  readonly kept: KeptSchedules;
  readonly runner: ScheduleRunner;
  readonly download: (signal: AbortSignal) => RunHow["download"];
  readonly events: Events;
  readonly clock: Clock;
  readonly dataFolder: string;
  /** Tells the end of a run to the user. */
  readonly tell: (schedule: Schedule, run: ScheduleRun) => void;
}

/** A sleeping computer stops the clock that is waited on; other programs add schedules; clocks are set. */
const MOST_WAIT_MS = MINUTE_MS;
const ELSEWHERE = usageFault("This schedule is running right now, here or in another program.");
const GONE = usageFault("This schedule is not there any more.");

interface Underway {
  readonly stop: AbortController;
  stage: ScheduleStage | null;
  readonly ended: Promise<"elsewhere" | "notDue" | ScheduleRun>;
}

export function createSchedules(context: SchedulerContext): Schedules {
  const { kept, runner, events, clock } = context;
  const timers = createTimers(clock);
  const underway = new Map<string, Underway>();
  let isAtWork = false;
  let told = "";

  const changed = (): void => events.emit("schedulesChanged", null);

  function view(stored: StoredSchedule): KeptSchedule {
    const { id, schedule } = stored;
    return {
      id,
      schedule,
      nextRunMs: schedule.isPaused ? null : plannedTime(stored),
      lastRun: kept.runs(id)[0] ?? null,
      stage: underway.get(id)?.stage ?? null,
      folder: folderOf(schedule, context.dataFolder),
    };
  }

  function start(stored: StoredSchedule, trigger: ScheduleRun["trigger"]): Underway {
    const { id, schedule } = stored;
    const stop = new AbortController();
    const onStage = (stage: ScheduleStage): void => {
      own.stage = stage;
      changed();
    };
    const how: RunHow = { trigger, signal: stop.signal, download: context.download(stop.signal), onStage };
    const running = runner.run(stored, trigger !== "user", how).then((outcome) => {
      if (typeof outcome !== "string") context.tell(schedule, outcome);
      return outcome;
    });
    const own: Underway = { stop, stage: null, ended: running.finally(() => void underway.delete(id)) };
    underway.set(id, own);
    own.ended.then(changed, (thrown: unknown) => {
      log.error("a scheduled run could not be kept", thrown);
      changed();
    });
    return own;
  }

  function look(): void {
    if (!isAtWork) return;
    let waitMs = MOST_WAIT_MS;
    try {
      const nowMs = clock.wallMs();
      const all = kept.list();
      for (const stored of all) {
        // The clock was set back: what was done with in a future that did not come is planned anew.
        if (stored.handledMs > nowMs) kept.setHandled(stored.id, nowMs);
        else if (!underway.has(stored.id)) {
          const trigger = dueTrigger(stored, kept.runs(stored.id), nowMs);
          if (trigger !== null) start(stored, trigger);
        }
        const untilMs = plannedTime(stored) - nowMs;
        if (!stored.schedule.isPaused && untilMs > 0) waitMs = Math.min(waitMs, untilMs);
      }
      // Other programs of the data folder change them too.
      const now = JSON.stringify(all);
      if (now !== told) changed();
      told = now;
    } catch (thrown) {
      log.warn("schedules could not be read; trying again in a minute", thrown);
    }
    timers.set("look", waitMs, look);
  }

  function again(): void {
    changed();
    look();
  }

  return {
    kept,
    list: () => kept.list().map(view),
    save(id, schedule) {
      const answer = kept.save(id, schedule, clock.wallMs());
      if (!answer.ok) return answer;
      again();
      return success(view(answer.value));
    },
    setPaused(id, isPaused) {
      const answer = kept.setPaused(id, isPaused, clock.wallMs());
      if (answer.ok) again();
      return answer.ok ? success(null) : answer;
    },
    async run(id) {
      const stored = kept.find(id);
      if (!stored) return failure(GONE);
      if (underway.has(id)) return failure(ELSEWHERE);
      const own = start(stored, "user");
      changed();
      // Whether another program has it shows at once; its end is told by events.
      const began = new Promise<null>((resolve) => {
        const stop = events.subscribe(({ name }) => {
          if (name !== "schedulesChanged" || own.stage === null) return;
          stop();
          resolve(null);
        });
      });
      const first = await Promise.race([own.ended, began]);
      return first === "elsewhere" ? failure(ELSEWHERE) : success(null);
    },
    async stop(id) {
      const own = underway.get(id);
      own?.stop.abort();
      await own?.ended.catch(() => undefined);
    },
    async remove(id) {
      const own = underway.get(id);
      own?.stop.abort();
      await own?.ended.catch(() => undefined);
      kept.remove(id);
      again();
    },
    begin() {
      if (isAtWork) return;
      isAtWork = true;
      look();
    },
    rest() {
      isAtWork = false;
      timers.clearAll();
    },
    async close() {
      isAtWork = false;
      timers.clearAll();
      const all = [...underway.values()];
      for (const own of all) own.stop.abort(CLOSING);
      await Promise.all(all.map((own) => own.ended.catch(() => undefined)));
    },
  };
}
