import type { Job } from "#shared/bridge/jobs.ts";
import type { JobSpec } from "#shared/job/job.ts";
import type { Verdict } from "#shared/job/verdict.ts";
import { type AppFault, usageFault } from "#shared/fault.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import { faultOf } from "../../bridge/faultOf.ts";
import { backoffMs } from "../../planner/backoff.ts";
import type { JobRecord, UserStore } from "../../store/types.ts";
import type { Clock } from "../../sync/clock.ts";
import type { Connections } from "../connections.ts";
import type { ConnectivityWatch } from "../connectivity.ts";
import type { Events } from "../events.ts";
import { newJob } from "../jobs.ts";
import { probe } from "../probe.ts";
import { createThrottle } from "../throttle.ts";
import type { Workload } from "../workload.ts";
import { noticeOf } from "./notice.ts";
import { type Run, type RunEnd, runOnce, type StopReason } from "./run.ts";
import { createTimers } from "./timers.ts";
import { viewOf } from "./view.ts";

type Answer = Result<Job, AppFault>;

/** Download jobs that outlive windows and the program. All of a connection go through its one turnstile. */
export interface JobQueue {
  /** Newest first. */
  list(): Job[];
  start(connectionId: string, spec: JobSpec, keepUp: boolean): Answer;
  pause(jobId: string): Promise<Answer>;
  resume(jobId: string): Answer;
  cancel(jobId: string): Promise<Answer>;
  setKeepUp(jobId: string, keepUp: boolean): Answer;
  remove(jobId: string): Promise<Result<null, AppFault>>;
  verdicts(jobId: string): Result<Verdict[], AppFault>;
  /** A connection was opened: its jobs that were not stopped by the user go on. */
  adopt(connectionId: string): void;
  /** A connection got a key: jobs that waited for one go on. */
  keyChanged(connectionId: string): void;
  /** The service of a connection answers again: jobs that waited for it go on. */
  wake(connectionId: string): void;
  /** Stops and forgets the jobs of a connection that is about to be removed. */
  drop(connectionId: string): Promise<void>;
  /** Stops what runs, in order; it goes on with `resumeAll`, or with the next start of the program. */
  suspend(): Promise<void>;
  resumeAll(): Promise<void>;
}

export interface QueueContext {
  readonly users: UserStore;
  readonly connections: Connections;
  readonly connectivity: ConnectivityWatch;
  readonly events: Events;
  readonly clock: Clock;
  readonly workload: Workload;
  readonly random: () => number;
}

/** The jobs of one connection that are not at rest. */
interface Lane {
  readonly connectionId: string;
  readonly queued: string[];
  readonly running: Map<string, Run>;
  readonly waiting: Set<string>;
  /** Probes since an answer was kept. */
  probes: number;
  /** Runs of a job in a row that kept nothing although the service had been seen before. */
  readonly fruitless: Map<string, number>;
}

const MOST_RUNNING = 2;
const EVENT_PAUSE_MS = 200;
const PROBE = { baseMs: 5_000, capMs: 60_000 };
/** The service answers probes, but nothing of the job: it is the job, and waiting on would never end. */
const MOST_FRUITLESS = 5;
/** No wait of a job that keeps up is longer; one that is comes from a clock that was set back. */
const MOST_WAIT_MS = 3_600_000;
const UNENDED: ReadonlySet<string> = new Set(["queued", "running", "waitingForNetwork"]);
const AT_REST: ReadonlySet<string> = new Set(["finished", "broken", "cancelled"]);

export function createQueue(context: QueueContext): JobQueue {
  const { users, events, clock } = context;
  const lanes = new Map<string, Lane>();
  const timers = createTimers(clock);
  /** Jobs whose end could not be kept, with the reason: shown until they run again. */
  const unkept = new Map<string, string>();
  let isSuspended = false;
  let halted: Promise<void> = Promise.resolve();
  let stopProbes = new AbortController();

  function view(record: JobRecord): Job {
    const job = viewOf(record, lanes.get(record.connectionId)?.running.get(record.id) ?? null);
    const reason = unkept.get(record.id);
    return reason === undefined ? job : { ...job, state: "broken", reason };
  }

  function tell(jobId: string): void {
    const record = users.job(jobId);
    if (record) events.emit("jobChanged", view(record));
  }

  function change(record: JobRecord, changes: Partial<JobRecord>): Job {
    const next = { ...record, ...changes, updatedAtMs: clock.wallMs() };
    users.putJob(next);
    const job = view(next);
    events.emit("jobChanged", job);
    return job;
  }

  /** The lane of a connection; with its first use, what was under way when the program ended goes on. */
  function laneOf(connectionId: string): Lane {
    const known = lanes.get(connectionId);
    if (known) return known;
    const lane: Lane = {
      connectionId,
      queued: [],
      running: new Map(),
      waiting: new Set(),
      probes: 0,
      fruitless: new Map(),
    };
    lanes.set(connectionId, lane);
    for (const record of users.jobs().filter((j) => j.connectionId === connectionId)) {
      if (UNENDED.has(record.state)) enqueue(record);
      else if (record.keepUp) askAgainLater(record);
    }
    return lane;
  }

  function enqueue(record: JobRecord): Job {
    const lane = laneOf(record.connectionId);
    timers.clear(record.id);
    unkept.delete(record.id);
    lane.waiting.delete(record.id);
    if (lane.running.has(record.id) || lane.queued.includes(record.id)) return view(record);
    const job = change(record, { state: "queued", reason: null, nextRunMs: null });
    lane.queued.push(record.id);
    pump(lane);
    return job;
  }

  function askAgainLater(record: JobRecord): void {
    if (record.nextRunMs === null) return;
    const waitMs = Math.min(MOST_WAIT_MS, Math.max(0, record.nextRunMs - clock.wallMs()));
    timers.set(record.id, waitMs, () => {
      const due = users.job(record.id);
      if (due?.keepUp && due.nextRunMs !== null) enqueue(due);
    });
  }

  function pump(lane: Lane): void {
    const hasRoom = (): boolean => !isSuspended && lane.running.size < MOST_RUNNING;
    while (hasRoom()) {
      const id = lane.queued.shift();
      if (id === undefined) return;
      const record = users.job(id);
      if (!record) continue;
      const run: Run = { stop: new AbortController(), stoppedFor: null, progress: null, ended: Promise.resolve() };
      lane.running.set(id, run);
      run.ended = execute(lane, record, run).catch((thrown) => void unkept.set(id, faultOf(thrown).message));
    }
  }

  async function execute(lane: Lane, record: JobRecord, run: Run): Promise<void> {
    const task = context.workload.begin();
    const throttle = createThrottle(clock, EVENT_PAUSE_MS, () => tell(record.id));
    let end: RunEnd | null = null;
    try {
      change(record, { state: "running", reason: null, nextRunMs: null });
      const owner = context.connections.find(record.connectionId);
      if (!owner) return;
      const connection = await context.connections.open(owner);
      const canWait = (lane.fruitless.get(record.id) ?? 0) < MOST_FRUITLESS;
      const started = users.job(record.id) ?? record;
      end = await runOnce(users, connection, started, run, canWait, () => {
        const { pointsTotal, pointsDone } = run.progress ?? { pointsTotal: 0, pointsDone: 0 };
        task.progress(pointsTotal === 0 ? 0 : pointsDone / pointsTotal);
        throttle.ask();
      });
    } catch (thrown) {
      unkept.set(record.id, faultOf(thrown).message);
    } finally {
      throttle.stop();
      lane.running.delete(record.id);
      task.end(end && noticeOf(end));
      if (end) follow(lane, end);
      tell(record.id);
      pump(lane);
    }
  }

  /** What the end of a run leads to. */
  function follow(lane: Lane, { record, state, hasMoved }: RunEnd): void {
    if (hasMoved) {
      lane.probes = 0;
      lane.fruitless.delete(record.id);
    }
    if (state === "waitingForNetwork") {
      if (!hasMoved) lane.fruitless.set(record.id, (lane.fruitless.get(record.id) ?? 0) + 1);
      lane.waiting.add(record.id);
      probeLater(lane);
    } else {
      lane.fruitless.delete(record.id);
      if (record.keepUp) askAgainLater(record);
    }
  }

  function probeLater(lane: Lane): void {
    const name = `probe ${lane.connectionId}`;
    if (isSuspended || lane.waiting.size === 0 || timers.isSet(name)) return;
    timers.set(name, backoffMs(lane.probes++, context.random(), PROBE), () => void probeNow(lane));
  }

  async function probeNow(lane: Lane): Promise<void> {
    const owner = context.connections.find(lane.connectionId);
    if (!owner || isSuspended || lane.waiting.size === 0) return;
    const answers = await context.connections
      .open(owner)
      .then((connection) => probe(connection, context.connectivity, stopProbes.signal))
      // A refused key is an answer, too: the job will meet it and wait for another one.
      .then((told) => (told.ok ? told.value.state === "online" : told.error.kind === "key"))
      .catch(() => false);
    if (answers) wakeLane(lane);
    else probeLater(lane);
  }

  function wakeLane(lane: Lane): void {
    if (isSuspended) return;
    timers.clear(`probe ${lane.connectionId}`);
    for (const id of lane.waiting) {
      const record = users.job(id);
      if (record) enqueue(record);
    }
    lane.waiting.clear();
  }

  /** Takes a job out of all that is under way, and waits until its run has ended. */
  async function halt(record: JobRecord, why: StopReason): Promise<void> {
    timers.clear(record.id);
    unkept.delete(record.id);
    const lane = lanes.get(record.connectionId);
    if (!lane) return;
    const at = lane.queued.indexOf(record.id);
    if (at >= 0) lane.queued.splice(at, 1);
    lane.waiting.delete(record.id);
    lane.fruitless.delete(record.id);
    const run = lane.running.get(record.id);
    if (!run) return;
    run.stoppedFor = why;
    run.stop.abort();
    await run.ended;
  }

  async function stopAs(jobId: string, state: "paused" | "cancelled"): Promise<Answer> {
    const before = users.job(jobId);
    if (!before) return failure(NO_JOB);
    await halt(before, state);
    const record = users.job(jobId);
    if (!record) return failure(NO_JOB);
    // One that is at rest has nothing to stop but its next time.
    const rests = AT_REST.has(record.state) && !(record.keepUp && record.nextRunMs !== null);
    if (rests || record.state === state) return success(view(record));
    return success(change(record, { state, reason: null, nextRunMs: null }));
  }

  async function haltAll(): Promise<void> {
    isSuspended = true;
    timers.clearAll();
    stopProbes.abort();
    const runs = [...lanes.values()].flatMap((lane) => [...lane.running.values()]);
    for (const lane of lanes.values()) lane.queued.length = 0;
    for (const run of runs) {
      run.stoppedFor ??= "interrupted";
      run.stop.abort();
    }
    await Promise.all(runs.map((run) => run.ended));
  }

  const withJob = (jobId: string, act: (record: JobRecord) => Job): Answer => {
    const record = users.job(jobId);
    return record ? success(act(record)) : failure(NO_JOB);
  };

  return {
    list: () => users.jobs().map(view).toReversed(),
    start(connectionId, spec, keepUp) {
      if (!context.connections.find(connectionId)) return failure(usageFault("This connection is not there any more."));
      laneOf(connectionId);
      const record = newJob(connectionId, spec, keepUp, clock.wallMs());
      return success(enqueue(record));
    },
    pause: (jobId) => stopAs(jobId, "paused"),
    resume: (jobId) => withJob(jobId, enqueue),
    cancel: (jobId) => stopAs(jobId, "cancelled"),
    setKeepUp: (jobId, keepUp) =>
      withJob(jobId, (record) => {
        timers.clear(jobId);
        const rests = record.state === "finished" || record.state === "broken";
        const job = change(record, { keepUp, nextRunMs: keepUp && rests ? clock.wallMs() : null });
        const changed = users.job(jobId);
        if (changed && keepUp && rests && lanes.has(record.connectionId)) askAgainLater(changed);
        return job;
      }),
    async remove(jobId) {
      const record = users.job(jobId);
      if (!record) return failure(NO_JOB);
      await halt(record, "interrupted");
      users.deleteJob(jobId);
      events.emit("jobRemoved", { jobId });
      return success(null);
    },
    verdicts(jobId) {
      if (!users.job(jobId)) return failure(NO_JOB);
      return success(JSON.parse(users.verdicts(jobId) ?? "[]") as Verdict[]);
    },
    adopt: (connectionId) => void laneOf(connectionId),
    keyChanged(connectionId) {
      const waiting = users.jobs().filter((j) => j.connectionId === connectionId && j.state === "needsKey");
      for (const record of waiting) enqueue(record);
    },
    wake(connectionId) {
      const lane = lanes.get(connectionId);
      if (lane) wakeLane(lane);
    },
    async drop(connectionId) {
      // None of them takes the place of one that is stopped.
      lanes.get(connectionId)?.queued.splice(0);
      for (const record of users.jobs().filter((j) => j.connectionId === connectionId)) {
        await halt(record, "interrupted");
        events.emit("jobRemoved", { jobId: record.id });
      }
      timers.clear(`probe ${connectionId}`);
      lanes.delete(connectionId);
    },
    suspend: () => (halted = haltAll()),
    async resumeAll() {
      await halted;
      if (!isSuspended) return;
      isSuspended = false;
      stopProbes = new AbortController();
      const ids = [...lanes.keys()];
      lanes.clear();
      for (const id of ids) laneOf(id);
    },
  };
}

const NO_JOB = usageFault("This job is not there any more.");
