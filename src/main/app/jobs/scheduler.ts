import type { Job } from "#shared/bridge/methods/jobs.ts";
import type { Clock } from "../../sync/clock.ts";
import type { Connections } from "../connections/connections.ts";
import { Throttle } from "../throttle.ts";
import { Timers } from "../timers.ts";
import type { Events } from "../events.ts";
import type { Workload } from "../workload.ts";
import { JobStore, noticeOf } from "./jobStore.ts";
import { isPending } from "./records.ts";
import { type Run, type RunEnd, runOnce, type StopReason } from "./run.ts";
import type { JobRecord, UserStore } from "../../store/index.ts";

export interface SchedulerContext {
  readonly users: UserStore;
  readonly events: Events;
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

/** Runs the jobs of each connection: queued ones in turn, repeated ones at their times. */
export class Scheduler {
  protected readonly context: SchedulerContext;
  protected readonly jobStore: JobStore;
  readonly #queues = new Map<string, ConnectionQueue>();
  readonly #timers;
  /** What keeps the jobs of a connection, or of all (null), from running. */
  readonly #holds = new Set<{ readonly connectionId: string | null }>();

  constructor(context: SchedulerContext) {
    this.context = context;
    this.jobStore = new JobStore(
      context,
      ({ id, connectionId }) => this.#queues.get(connectionId)?.running.get(id) ?? null,
    );
    this.#timers = new Timers(context.clock);
  }

  /** At the first use of a connection, continues its jobs, unless the user stopped them. */
  adopt(connectionId: string): void {
    this.#openQueue(connectionId);
  }

  /** Queues a job. @throws StoreError */
  protected enqueue(record: JobRecord): Job {
    const queue = this.#openQueue(record.connectionId);
    this.#timers.clear(record.id);
    this.jobStore.clearFailure(record.id);
    queue.running.get(record.id)?.tryNow();
    if (queue.running.has(record.id) || queue.queued.includes(record.id)) return this.jobStore.view(record);
    // Another process may be running a pending job, so its record is not changed.
    if (isPending(record)) this.jobStore.notify(record.id);
    else this.jobStore.change(record, { state: "queued", reason: null, nextRunMs: null });
    queue.queued.push(record.id);
    this.#startNext(queue);
    return this.jobStore.view(this.jobStore.find(record.id) ?? record);
  }

  /** Sets the timer for the next run of a job that keeps up. */
  protected scheduleNextRun(record: JobRecord): void {
    // If the connection is not open, opening it sets the timer.
    if (this.#queues.has(record.connectionId)) this.#scheduleNextRun(record);
  }

  /** Removes a job from the queue, or stops its run and waits for the end. */
  protected async stopAndWait(record: JobRecord, why: StopReason): Promise<void> {
    this.#timers.clear(record.id);
    this.jobStore.clearFailure(record.id);
    const queue = this.#queues.get(record.connectionId);
    if (!queue) return;
    const index = queue.queued.indexOf(record.id);
    if (index >= 0) queue.queued.splice(index, 1);
    const run = queue.running.get(record.id);
    if (!run) return;
    run.stoppedFor = why;
    run.stop.abort();
    await run.ended;
  }

  /** Stops and deletes the jobs of a connection that is about to be removed. */
  async drop(connectionId: string): Promise<void> {
    const jobs = this.jobStore.ofConnection(connectionId);
    // Emptied first, so that no queued job starts when another one is stopped.
    this.#queues.get(connectionId)?.queued.splice(0);
    for (const record of jobs) await this.stopAndWait(record, "interrupted");
    this.#queues.delete(connectionId);
    for (const { id } of jobs) this.jobStore.remove(id);
  }

  /**
   * Stops the running jobs of a connection, or of all (null), in order.
   *
   * @returns a function that ends this suspension; the jobs continue with the end of the last one, or at the next start
   */
  async suspend(connectionId: string | null): Promise<() => void> {
    const hold = { connectionId };
    this.#holds.add(hold);
    await this.#stopHeld();
    return () => {
      const held = this.#heldQueues();
      this.#holds.delete(hold);
      for (const queue of held) if (!this.#isHeld(queue)) this.#continue(queue);
    };
  }

  /** Stops all for good. */
  async close(): Promise<void> {
    await this.suspend(null);
    this.#timers.clearAll();
  }

  #openQueue(connectionId: string): ConnectionQueue {
    const known = this.#queues.get(connectionId);
    if (known) return known;
    const queue: ConnectionQueue = { connectionId, queued: [], running: new Map() };
    this.#queues.set(connectionId, queue);
    for (const record of this.jobStore.ofConnection(connectionId)) {
      if (isPending(record)) this.enqueue(record);
      else this.#scheduleNextRun(record);
    }
    return queue;
  }

  /** Queues a job without a caller to report errors to: they are shown on the job. */
  #enqueueInBackground(jobId: string, isDue: (record: JobRecord) => boolean): void {
    try {
      const record = this.jobStore.find(jobId);
      if (record && isDue(record)) this.enqueue(record);
    } catch (thrown) {
      this.jobStore.markFailed(jobId, thrown);
    }
  }

  #scheduleNextRun(record: JobRecord): void {
    if (record.nextRunMs === null) return;
    const waitMs = Math.min(MAX_WAIT_MS, Math.max(0, record.nextRunMs - this.context.clock.wallMs()));
    this.#timers.set(record.id, waitMs, () => this.#enqueueInBackground(record.id, (due) => due.nextRunMs !== null));
  }

  #startNext(queue: ConnectionQueue): void {
    while (!this.#isHeld(queue) && queue.running.size < MAX_RUNNING) {
      const id = queue.queued.shift();
      if (id === undefined) return;
      const record = this.#pendingOrNull(id);
      if (record === null) continue;
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
      run.ended = this.#execute(queue, record, run).catch((thrown: unknown) => this.jobStore.markFailed(id, thrown));
    }
  }

  async #execute(queue: ConnectionQueue, record: JobRecord, run: QueuedRun): Promise<void> {
    const task = this.context.workload.begin();
    const throttle = new Throttle(this.context.clock, EVENT_PAUSE_MS, () => this.jobStore.notify(record.id));
    let end: RunEnd | null = null;
    try {
      // It may wait minutes for the list of stations before it reports anything.
      throttle.now();
      const owner = this.context.connections.find(record.connectionId);
      if (!owner) return;
      const connection = await this.context.connections.open(owner);
      run.tryNow = () => connection.session.limiter.probeNow();
      run.onProgress = ({ pointsTotal, pointsDone }) => {
        task.progress(pointsTotal === 0 ? 0 : pointsDone / pointsTotal);
        throttle.schedule();
      };
      end = await runOnce(this.context.users, connection, record, run);
      // The command line runs it; check again later, because that process may be stopped or killed.
      if (end === null) this.#timers.set(record.id, OTHER_PROCESS_RETRY_MS, () => this.#retryElsewhere(record.id));
    } catch (thrown) {
      this.jobStore.markFailed(record.id, thrown);
    } finally {
      throttle.stop();
      queue.running.delete(record.id);
      task.end(end && noticeOf(end));
      try {
        if (end) this.#scheduleNextRun(end.record);
        this.jobStore.notify(record.id);
        this.jobStore.removeOld(queue.connectionId);
      } finally {
        this.#startNext(queue);
      }
    }
  }

  /** Returns a job that can start now; null if another process has ended it, or it cannot be read. */
  #pendingOrNull(jobId: string): JobRecord | null {
    try {
      const record = this.jobStore.find(jobId);
      if (record && isPending(record)) return record;
      this.jobStore.notify(jobId);
    } catch (thrown) {
      this.jobStore.markFailed(jobId, thrown);
    }
    return null;
  }

  #retryElsewhere(jobId: string): void {
    this.#enqueueInBackground(jobId, isPending);
    this.jobStore.notify(jobId);
  }

  #isHeld(queue: ConnectionQueue): boolean {
    return [...this.#holds].some((hold) => hold.connectionId === null || hold.connectionId === queue.connectionId);
  }

  #heldQueues(): ConnectionQueue[] {
    return [...this.#queues.values()].filter((queue) => this.#isHeld(queue));
  }

  /** Queues the jobs of a connection again, as they are stored now. */
  #continue({ connectionId }: ConnectionQueue): void {
    this.#queues.delete(connectionId);
    this.#openQueue(connectionId);
  }

  async #stopHeld(): Promise<void> {
    const held = this.#heldQueues();
    for (const queue of held) queue.queued.length = 0;
    const runs = held.flatMap((queue) => [...queue.running.values()]);
    for (const run of runs) {
      run.stoppedFor ??= "interrupted";
      run.stop.abort();
    }
    await Promise.all(runs.map((run) => run.ended));
  }
}
