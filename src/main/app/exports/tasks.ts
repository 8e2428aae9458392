import { randomUUID } from "node:crypto";
import { mkdir, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import type { ExportForecast, ExportTask } from "#shared/bridge/methods/export.ts";
import { type AppFault, usageFault } from "#shared/fault.ts";
import type { ExportReport, ExportRequest } from "#shared/file/export.ts";
import { downloadFor } from "#shared/file/savedExport.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import { count } from "#shared/text.ts";
import { faultOf } from "../../fault.ts";
import { contentProblem, exportSeries } from "../../export/exportSeries.ts";
import type { Desktop } from "../../ports.ts";
import type { Clock } from "../../sync/clock.ts";
import type { OpenConnection } from "../connections/connections.ts";
import type { Events } from "../events.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { Throttle } from "../pacing.ts";
import type { Workload } from "../workload.ts";
import { exportCommand } from "./command.ts";
import { forecastExport } from "./forecastExport.ts";
import { nameOf, type Naming, placeProblem } from "./place.ts";
import type { GuardedWrite } from "../storage/ownFiles.ts";
import { dataSource } from "./dataSource.ts";

type Selection = Omit<ExportRequest, "path">;
type Destination = { readonly kind: "file"; readonly path: string } | { readonly kind: "download" };

interface ExportContext {
  readonly dataFolder: string;
  /** For files that a window offers for download. */
  readonly downloadFolder: string;
  readonly writeGuarded: GuardedWrite;
  readonly jobs: Jobs;
  readonly events: Events;
  readonly clock: Clock;
  readonly workload: Workload;
  readonly desktop: Desktop | undefined;
}

interface Entry {
  task: ExportTask;
  readonly stop: AbortController;
  ended: Promise<void>;
  /** Folder of files for download, deleted with the task; null if the user named the file. */
  readonly folder: string | null;
}

const EVENT_PAUSE_MS = 200;
const NO_TASK = usageFault("This export no longer exists.");

/** Exports that continue when their window closes, but end with the program. */
export class ExportTasks {
  readonly #context: ExportContext;
  readonly #downloads;
  #swept: Promise<void> | null = null;
  readonly #entries = new Map<string, Entry>();

  constructor(context: ExportContext) {
    this.#context = context;
    this.#downloads = context.downloadFolder;
  }

  async estimate(
    connection: OpenConnection,
    request: Selection,
    naming: Naming,
    signal: AbortSignal,
  ): Promise<Result<ExportForecast, AppFault>> {
    const problem = contentProblem(request);
    if (problem) return failure(problem);
    const name = nameOf(connection, request, naming);
    if (!name.ok) return name;
    const estimated = await forecastExport(connection.cache, request, name.value, signal);
    const missing = this.#context.jobs.missing(connection, downloadFor(request));
    const command = exportCommand(request, {
      fileName: name.value,
      connectionName: connection.record.name,
      dataFolder: this.#context.dataFolder,
    });
    return success({ ...estimated, command, incompleteStationIds: missing.map((s) => s.id) });
  }

  async start(
    connection: OpenConnection,
    request: Selection,
    destination: Destination,
    naming: Naming,
  ): Promise<Result<ExportTask, AppFault>> {
    const name = nameOf(connection, request, naming);
    if (!name.ok) return name;
    const id = randomUUID();
    await this.#swept;
    const folder = destination.kind === "download" ? join(this.#downloads, id) : null;
    if (folder !== null) await mkdir(folder, { recursive: true, mode: 0o700 });
    const path = destination.kind === "file" ? destination.path : join(this.#downloads, id, name.value);
    const problem = contentProblem(request) ?? (await placeProblem(path, request.format));
    if (problem) return failure(problem);
    const task: ExportTask = {
      id,
      connectionId: connection.record.id,
      request,
      state: "running",
      rowsDone: 0,
      rowsTotal: 0,
      report: null,
      fault: null,
      downloads: [],
    };
    const entry: Entry = { task, stop: new AbortController(), ended: Promise.resolve(), folder };
    this.#entries.set(id, entry);
    this.#notify(entry);
    entry.ended = this.#run(connection, entry, path);
    return success(task);
  }

  /** Newest first. */
  list(): ExportTask[] {
    return [...this.#entries.values()].map((e) => e.task).toReversed();
  }

  async cancel(exportId: string): Promise<Result<ExportTask, AppFault>> {
    const entry = this.#entries.get(exportId);
    if (!entry) return failure(NO_TASK);
    await stopAndWait(entry);
    return success(entry.task);
  }

  async remove(exportId: string): Promise<Result<null, AppFault>> {
    const entry = this.#entries.get(exportId);
    if (!entry) return failure(NO_TASK);
    await this.#forget(entry);
    return success(null);
  }

  /** Stops and forgets the exports of a connection that is about to be removed. */
  async drop(connectionId: string): Promise<void> {
    const ofConnection = [...this.#entries.values()].filter((e) => e.task.connectionId === connectionId);
    for (const entry of ofConnection) await this.#forget(entry);
  }

  /** Deletes downloadable files of an earlier run; once. */
  sweep(): Promise<void> {
    // Failing to delete leftovers must not prevent the start.
    this.#swept ??= rm(this.#downloads, { recursive: true, force: true }).catch(() => undefined);
    return this.#swept;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#entries.values()].map(stopAndWait));
    await Promise.all([...this.#entries.values()].map(removeFolder));
  }

  #notify({ task }: Entry): void {
    if (this.#entries.has(task.id)) this.#context.events.emit("exportChanged", task);
  }

  async #run(connection: OpenConnection, entry: Entry, path: string): Promise<void> {
    const { cache } = connection;
    const { request } = entry.task;
    const { signal } = entry.stop;
    const work = this.#context.workload.begin();
    const throttle = new Throttle(this.#context.clock, EVENT_PAUSE_MS, () => this.#notify(entry));
    const rowsDone = createRowCounter();
    try {
      const { rows: rowsTotal } = await forecastExport(cache, request, basename(path), signal);
      update(entry, { rowsTotal });
      throttle.schedule();
      const onProgress = (rows: number): void => {
        update(entry, { rowsDone: rowsDone(rows) });
        work.progress(rowsTotal === 0 ? 0 : entry.task.rowsDone / rowsTotal);
        throttle.schedule();
      };
      // Browsers can download files, but no folders.
      const options = { signal, onProgress, filesOnly: entry.folder !== null };
      const answer = await this.#context.writeGuarded(path, () =>
        exportSeries(cache, dataSource(connection), { ...request, path }, options),
      );
      if (answer.ok) await this.#finish(entry, answer.value);
      else if (signal.aborted) update(entry, { state: "cancelled" });
      else update(entry, { state: "failed", fault: answer.error });
    } catch (thrown) {
      update(entry, signal.aborted ? { state: "cancelled" } : { state: "failed", fault: faultOf(thrown) });
    }
    throttle.stop();
    if (entry.task.state !== "finished") await removeFolder(entry);
    work.end(noticeOf(entry.task));
    this.#notify(entry);
  }

  async #finish(entry: Entry, report: ExportReport): Promise<void> {
    // Replaces the estimated row count with the actual one.
    const counted = { rowsDone: report.rows, rowsTotal: report.rows };
    const href = entry.folder === null ? undefined : this.#context.desktop?.downloadHref;
    const paths = [...report.files.map((f) => f.path), report.sidecarPath].filter((path) => path !== null);
    const offered = href === undefined ? [] : await Promise.all(paths.map((path) => offer(entry.task.id, path, href)));
    update(entry, { state: "finished", report, downloads: offered, ...counted });
  }

  async #forget(entry: Entry): Promise<void> {
    this.#entries.delete(entry.task.id);
    await stopAndWait(entry);
    await removeFolder(entry);
    this.#context.events.emit("exportRemoved", { exportId: entry.task.id });
  }
}

function update(entry: Entry, changes: Partial<ExportTask>): void {
  entry.task = { ...entry.task, ...changes };
}

async function removeFolder({ folder }: Entry): Promise<void> {
  if (folder !== null) await rm(folder, { recursive: true, force: true });
}

async function stopAndWait(entry: Entry): Promise<void> {
  entry.stop.abort();
  await entry.ended;
}

async function offer(
  exportId: string,
  path: string,
  href: (exportId: string, name: string) => string,
): Promise<ExportTask["downloads"][number]> {
  const name = basename(path);
  return { name, href: href(exportId, name), bytes: (await stat(path)).size };
}

/** Adds up the rows of all files, each of which counts from zero. */
function createRowCounter(): (rowsOfFile: number) => number {
  let ofEarlierFiles = 0;
  let last = 0;
  return (rows) => {
    if (rows < last) ofEarlierFiles += last;
    last = rows;
    return ofEarlierFiles + rows;
  };
}

function noticeOf({ state, report, fault }: ExportTask): { readonly title: string; readonly text: string } | null {
  if (state === "failed") return { title: "Export stopped", text: fault?.message ?? "The file could not be written." };
  const [first] = report?.files ?? [];
  if (state !== "finished" || !report || !first) return null;
  return { title: "Export finished", text: `${basename(first.path)}: ${count(report.rows)} rows.` };
}
