import type { Job } from "#shared/bridge/methods/jobs.ts";
import type { JobRecord } from "../../store/user/types.ts";
import type { Clock } from "../../sync/clock.ts";
import type { Connections } from "../connections/connections.ts";
import { createThrottle } from "../pacing.ts";
import type { Workload } from "../workload.ts";
import { type JobStore, noticeOf } from "./jobStore.ts";
import { isPending, type Run, type RunEnd, runOnce, type StopReason } from "./run.ts";
import { createTimers } from "./timers.ts";
import type { UserStore } from "../../store/index.ts";

/** Runs the jobs of each connection: queued ones in turn, repeated ones at their times. */
interface Scheduler {
  /** At the first use of a connection, continues the jobs that ran when the program ended. */
  adopt(connectionId: string): void;
  /** Queues a job. @throws StoreError */
  enqueue(record: JobRecord): Job;
  /** Sets the timer for the next run of a job that keeps up, or has to confirm something. */
  scheduleNextRun(record: JobRecord): void;
  /** Removes a job from the queue, or stops its run and waits for the end. */
  stopAndWait(record: JobRecord, why: StopReason): Promise<void>;
  /** Stops all jobs of a connection that is about to be removed. */
  drop(connectionId: string): Promise<void>;
  /** Stops all runs in order. Their jobs keep their state, so that they can continue. */
  suspend(): Promise<void>;
  resume(): Promise<void>;
}

export interface SchedulerContext {
  readonly users: UserStore;
  readonly connections: Connections;
  readonly clock: Clock;
  readonly workload: Workload;
}

/** A run that can be stopped and awaited. */
interface QueuedRun extends Run {
  readonly stop: AbortController;
  /** Ends the wait of an outage and sends a request at once. */
  tryNow: () => void;
  ended: Promise<void>;
}

/** The queued and running jobs of one connection. */
interface ConnectionQueue {
  readonly connectionId: string;
  readonly queued: string[];
  readonly running: Map<string, QueuedRun>;
}

const MAX_RUNNING = 2;
const EVENT_PAUSE_MS = 200;
/** Longest wait for the next run; a longer one means that the clock was set back. */
const MAX_WAIT_MS = 3_600_000;
/** How soon to check again on a job that another process runs. */
const OTHER_PROCESS_RETRY_MS = 5_000;

export function createScheduler(context: SchedulerContext, jobStore: JobStore): Scheduler {
  const { clock, connections } = context;
  const queues = new Map<string, ConnectionQueue>();
  const timers = createTimers(clock);
  let isSuspended = false;
  let stopping: Promise<void> = Promise.resolve();

  function openQueue(connectionId: string): ConnectionQueue {
    const known = queues.get(connectionId);
    if (known) return known;
    const queue: ConnectionQueue = { connectionId, queued: [], running: new Map() };
    queues.set(connectionId, queue);
    for (const record of jobStore.ofConnection(connectionId)) {
      if (isPending(record)) enqueue(record);
      else scheduleNextRun(record);
    }
    return queue;
  }

  function enqueue(record: JobRecord): Job {
    const queue = openQueue(record.connectionId);
    timers.clear(record.id);
    jobStore.clearFailure(record.id);
    queue.running.get(record.id)?.tryNow();
    if (queue.running.has(record.id) || queue.queued.includes(record.id)) return jobStore.view(record);
    // Another process may be running a pending job, so its record is not changed.
    const isEnded = !isPending(record);
    const job = isEnded
      ? jobStore.change(record, { state: "queued", reason: null, nextRunMs: null })
      : jobStore.view(record);
    if (!isEnded) jobStore.notify(record.id);
    queue.queued.push(record.id);
    startNext(queue);
    return job;
  }

  /** Queues a job without a caller to report errors to: they are shown on the job. */
  function enqueueInBackground(jobId: string, isDue: (record: JobRecord) => boolean): void {
    try {
      const record = jobStore.find(jobId);
      if (record && isDue(record)) enqueue(record);
    } catch (thrown) {
      jobStore.markFailed(jobId, thrown);
    }
  }

  function scheduleNextRun(record: JobRecord): void {
    if (record.nextRunMs === null) return;
    const waitMs = Math.min(MAX_WAIT_MS, Math.max(0, record.nextRunMs - clock.wallMs()));
    timers.set(record.id, waitMs, () => enqueueInBackground(record.id, (due) => due.nextRunMs !== null));
  }

  function startNext(queue: ConnectionQueue): void {
    const hasCapacity = (): boolean => !isSuspended && queue.running.size < MAX_RUNNING;
    while (hasCapacity()) {
      const id = queue.queued.shift();
      if (id === undefined) return;
      const record = jobStore.find(id);
      // Another process has ended it meanwhile.
      if (!record || !isPending(record)) {
        jobStore.notify(id);
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
      jobStore.setRunning(id, run);
      run.ended = execute(queue, record, run).catch((thrown: unknown) => jobStore.markFailed(id, thrown));
    }
  }

  async function execute(queue: ConnectionQueue, record: JobRecord, run: QueuedRun): Promise<void> {
    const task = context.workload.begin();
    const throttle = createThrottle(clock, EVENT_PAUSE_MS, () => jobStore.notify(record.id));
    let end: RunEnd | null = null;
    try {
      const owner = connections.find(record.connectionId);
      if (!owner) return;
      const connection = await connections.open(owner);
      run.tryNow = () => connection.session.limiter.probeNow();
      run.onProgress = ({ pointsTotal, pointsDone }) => {
        task.progress(pointsTotal === 0 ? 0 : pointsDone / pointsTotal);
        throttle.schedule();
      };
      end = await runOnce(context.users, connection, record, run);
      // The command line runs it; check again later, because that process may be stopped or killed.
      if (end === null) timers.set(record.id, OTHER_PROCESS_RETRY_MS, () => retryElsewhere(record.id));
    } catch (thrown) {
      jobStore.markFailed(record.id, thrown);
    } finally {
      throttle.stop();
      queue.running.delete(record.id);
      jobStore.setRunning(record.id, null);
      task.end(end && noticeOf(end));
      if (end) scheduleNextRun(end.record);
      jobStore.notify(record.id);
      startNext(queue);
    }
  }

  function retryElsewhere(jobId: string): void {
    enqueueInBackground(jobId, isPending);
    jobStore.notify(jobId);
  }

  async function stopAndWait(record: JobRecord, why: StopReason): Promise<void> {
    timers.clear(record.id);
    jobStore.clearFailure(record.id);
    const queue = queues.get(record.connectionId);
    if (!queue) return;
    const index = queue.queued.indexOf(record.id);
    if (index >= 0) queue.queued.splice(index, 1);
    const run = queue.running.get(record.id);
    if (!run) return;
    run.stoppedFor = why;
    run.stop.abort();
    await run.ended;
  }

  async function stopAll(): Promise<void> {
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
    adopt: (connectionId) => void openQueue(connectionId),
    enqueue,
    scheduleNextRun(record) {
      // If the connection is not open, opening it sets the timer.
      if (queues.has(record.connectionId)) scheduleNextRun(record);
    },
    stopAndWait,
    async drop(connectionId) {
      // Emptied first, so that no queued job starts when another one is stopped.
      queues.get(connectionId)?.queued.splice(0);
      for (const record of jobStore.ofConnection(connectionId)) await stopAndWait(record, "interrupted");
      queues.delete(connectionId);
    },
    suspend: () => (stopping = stopAll()),
    async resume() {
      await stopping;
      if (!isSuspended) return;
      isSuspended = false;
      const ids = [...queues.keys()];
      queues.clear();
      for (const id of ids) openQueue(id);
    },
  };
}
