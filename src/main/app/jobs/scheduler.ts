import type { Job } from "#shared/bridge/methods/jobs.ts";
import type { JobRecord, UserStore } from "../../store/types.ts";
import type { Clock } from "../../sync/clock.ts";
import type { Connections } from "../connections/connections.ts";
import { createThrottle } from "../throttle.ts";
import type { Workload } from "../workload.ts";
import { type JobStore, noticeOf } from "./jobStore.ts";
import { isUnended, type Run, type RunEnd, runOnce, type StopReason } from "./run.ts";
import { createTimers } from "./timers.ts";

/** What runs, waits for its turn or for its next time, connection by connection. */
export interface Scheduler {
  /** With the first use of a connection, what was under way when the program ended goes on. */
  adopt(connectionId: string): void;
  /** A job runs as soon as there is room. @throws StoreError */
  enqueue(record: JobRecord): Job;
  /** A job that keeps up runs again at its time. */
  askAgainLater(record: JobRecord): void;
  /** Takes a job out of all that is under way, and waits until its run has ended. */
  halt(record: JobRecord, why: StopReason): Promise<void>;
  /** Stops what is under way for a connection that is about to be removed. */
  drop(connectionId: string): Promise<void>;
  /** Stops everything in order; the jobs stay as they are, so that they go on. */
  suspend(): Promise<void>;
  resume(): Promise<void>;
}

export interface SchedulerContext {
  readonly users: UserStore;
  readonly connections: Connections;
  readonly clock: Clock;
  readonly workload: Workload;
}

/** A run of the queue, which can be stopped and waited for. */
interface QueuedRun extends Run {
  readonly stop: AbortController;
  /** Where it waits for the end of an outage, the service is asked at once. */
  tryNow: () => void;
  ended: Promise<void>;
}

/** The jobs of one connection that are not at rest. */
interface ConnectionQueue {
  readonly connectionId: string;
  readonly queued: string[];
  readonly running: Map<string, QueuedRun>;
}

const MOST_RUNNING = 2;
const EVENT_PAUSE_MS = 200;
/** No wait of a job that keeps up is longer; one that is comes from a clock that was set back. */
const MOST_WAIT_MS = 3_600_000;
/** How soon a job that another process runs is looked at again. */
const ELSEWHERE_MS = 5_000;

export function createScheduler(context: SchedulerContext, jobStore: JobStore): Scheduler {
  const { clock, connections } = context;
  const queues = new Map<string, ConnectionQueue>();
  const timers = createTimers(clock);
  let isSuspended = false;
  let halted: Promise<void> = Promise.resolve();

  function queueOf(connectionId: string): ConnectionQueue {
    const known = queues.get(connectionId);
    if (known) return known;
    const queue: ConnectionQueue = { connectionId, queued: [], running: new Map() };
    queues.set(connectionId, queue);
    for (const record of jobStore.of(connectionId)) {
      if (isUnended(record)) enqueue(record);
      else if (record.keepUp) askAgainLater(record);
    }
    return queue;
  }

  function enqueue(record: JobRecord): Job {
    const queue = queueOf(record.connectionId);
    timers.clear(record.id);
    jobStore.clearFailure(record.id);
    queue.running.get(record.id)?.tryNow();
    if (queue.running.has(record.id) || queue.queued.includes(record.id)) return jobStore.view(record);
    // A job that is not at rest may be run by another process: it is left as it is.
    const isAtRest = !isUnended(record);
    const job = isAtRest
      ? jobStore.change(record, { state: "queued", reason: null, nextRunMs: null })
      : jobStore.view(record);
    if (!isAtRest) jobStore.tell(record.id);
    queue.queued.push(record.id);
    pump(queue);
    return job;
  }

  /** Where no caller waits to be told what went wrong. */
  function enqueueAlone(jobId: string, isDue: (record: JobRecord) => boolean): void {
    try {
      const record = jobStore.find(jobId);
      if (record && isDue(record)) enqueue(record);
    } catch (thrown) {
      jobStore.markFailed(jobId, thrown);
    }
  }

  function askAgainLater(record: JobRecord): void {
    if (record.nextRunMs === null) return;
    const waitMs = Math.min(MOST_WAIT_MS, Math.max(0, record.nextRunMs - clock.wallMs()));
    timers.set(record.id, waitMs, () => enqueueAlone(record.id, (due) => due.keepUp && due.nextRunMs !== null));
  }

  function pump(queue: ConnectionQueue): void {
    const hasRoom = (): boolean => !isSuspended && queue.running.size < MOST_RUNNING;
    while (hasRoom()) {
      const id = queue.queued.shift();
      if (id === undefined) return;
      const record = jobStore.find(id);
      // At rest, it was ended by another process since it was queued.
      if (!record || !isUnended(record)) {
        jobStore.tell(id);
        continue;
      }
      const stop = new AbortController();
      const run: QueuedRun = {
        stop,
        signal: stop.signal,
        stoppedFor: null,
        progress: null,
        tryNow() {},
        ended: Promise.resolve(),
      };
      queue.running.set(id, run);
      jobStore.show(id, run);
      run.ended = execute(queue, record, run).catch((thrown: unknown) => jobStore.markFailed(id, thrown));
    }
  }

  async function execute(queue: ConnectionQueue, record: JobRecord, run: QueuedRun): Promise<void> {
    const task = context.workload.begin();
    const throttle = createThrottle(clock, EVENT_PAUSE_MS, () => jobStore.tell(record.id));
    let end: RunEnd | null = null;
    try {
      const owner = connections.find(record.connectionId);
      if (!owner) return;
      const connection = await connections.open(owner);
      run.tryNow = connection.session.limiter.probeNow;
      end = await runOnce(context.users, connection, record, run, ({ pointsTotal, pointsDone }) => {
        task.progress(pointsTotal === 0 ? 0 : pointsDone / pointsTotal);
        throttle.ask();
      });
      // The command line has it: it is looked at again, for that one may be stopped, or die.
      if (end === null) timers.set(record.id, ELSEWHERE_MS, () => lookAgain(record.id));
    } catch (thrown) {
      jobStore.markFailed(record.id, thrown);
    } finally {
      throttle.stop();
      queue.running.delete(record.id);
      jobStore.show(record.id, null);
      task.end(end && noticeOf(end));
      if (end?.record.keepUp) askAgainLater(end.record);
      jobStore.tell(record.id);
      pump(queue);
    }
  }

  function lookAgain(jobId: string): void {
    enqueueAlone(jobId, isUnended);
    jobStore.tell(jobId);
  }

  async function halt(record: JobRecord, why: StopReason): Promise<void> {
    timers.clear(record.id);
    jobStore.clearFailure(record.id);
    const queue = queues.get(record.connectionId);
    if (!queue) return;
    const at = queue.queued.indexOf(record.id);
    if (at >= 0) queue.queued.splice(at, 1);
    const run = queue.running.get(record.id);
    if (!run) return;
    run.stoppedFor = why;
    run.stop.abort();
    await run.ended;
  }

  async function haltAll(): Promise<void> {
    isSuspended = true;
    timers.clearAll();
    for (const queue of queues.values()) queue.queued.length = 0;
    const runs = [...queues.values()].flatMap((queue) => [...queue.running.values()]);
    for (const run of runs) {
      run.stoppedFor ??= "interrupted";
      run.stop.abort();
    }
    await Promise.all(runs.map((run) => run.ended));
  }

  return {
    adopt: (connectionId) => void queueOf(connectionId),
    enqueue,
    askAgainLater(record) {
      // Where the connection is not in use, it is looked at when it is.
      if (queues.has(record.connectionId)) askAgainLater(record);
    },
    halt,
    async drop(connectionId) {
      // None of them takes the place of one that is stopped.
      queues.get(connectionId)?.queued.splice(0);
      for (const record of jobStore.of(connectionId)) await halt(record, "interrupted");
      queues.delete(connectionId);
    },
    suspend: () => (halted = haltAll()),
    async resume() {
      await halted;
      if (!isSuspended) return;
      isSuspended = false;
      const ids = [...queues.keys()];
      queues.clear();
      for (const id of ids) queueOf(id);
    },
  };
}
