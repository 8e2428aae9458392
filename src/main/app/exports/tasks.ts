import { randomUUID } from "node:crypto";
import { mkdir, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import type { ExportForecast, ExportTask } from "#shared/bridge/methods/export.ts";
import { type AppFault, usageFailure, usageFault } from "#shared/fault.ts";
import type { ExportReport, ExportRequest } from "#shared/file/export.ts";
import { withExtension } from "#shared/file/fileName.ts";
import { downloadFor, type SavedExport } from "#shared/file/savedExport.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import { count } from "#shared/text.ts";
import { faultOf } from "../../fault.ts";
import { log } from "../../log/index.ts";
import { contentProblem, exportSeries } from "../../export/exportSeries.ts";
import type { Desktop } from "../../ports.ts";
import type { Clock } from "../../sync/clock.ts";
import type { OpenConnection } from "../connections/connections.ts";
import type { Events } from "../events.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { KEEPS_DOWNLOAD } from "../jobs/queue.ts";
import { Throttle } from "../pacing.ts";
import type { Workload } from "../workload.ts";
import { exportCommand } from "./command.ts";
import { forecastExport } from "./forecastExport.ts";
import { figureRequest, vectorFormat, writeFigure } from "./figure.ts";
import { firstFileName, type Naming, placeProblem } from "./place.ts";
import type { SettingsStore } from "../settings.ts";
import type { UserStore } from "../../store/index.ts";
import type { GuardedWrite } from "../storage/ownFiles.ts";
import { dataSource } from "./dataSource.ts";

type Selection = Omit<ExportRequest, "path">;
type Destination = { readonly kind: "file"; readonly path: string } | { readonly kind: "download" };

/** Downloads what the cache lacks of an export. */
export type FetchMissing = (connection: OpenConnection, signal: AbortSignal) => Promise<Result<null, AppFault>>;

/** What an export writes, and where. */
interface Order {
  readonly destination: Destination;
  readonly naming: Naming;
  /** null: only cached data. */
  readonly fetch: FetchMissing | null;
  /** Whether a figure of the series is drawn beside the file. */
  readonly hasFigure: boolean;
}

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
  readonly users: UserStore;
  readonly settings: SettingsStore;
}

interface Entry {
  task: ExportTask;
  readonly order: Order;
  stop: AbortController;
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
    const name = firstFileName(connection, request, naming);
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
    { fetch, figure = false, ...naming }: Naming & Pick<Order, "fetch"> & Pick<SavedExport, "figure">,
  ): Promise<Result<ExportTask, AppFault>> {
    const order: Order = { destination, naming, fetch, hasFigure: figure };
    const problem = await orderProblem(connection, request, order);
    if (problem) return failure(problem);
    const id = randomUUID();
    const task: ExportTask = { id, connectionId: connection.record.id, request, ...WAITING };
    const folder = destination.kind === "file" ? null : join(this.#downloads, id);
    const entry: Entry = { task, order, stop: new AbortController(), ended: Promise.resolve(), folder };
    this.#entries.set(id, entry);
    return success(this.#begin(connection, entry));
  }

  /** Writes an export that failed or was cancelled again, as it was ordered. */
  async retry(connection: OpenConnection, exportId: string): Promise<Result<ExportTask, AppFault>> {
    const entry = this.#entries.get(exportId);
    if (!entry) return failure(NO_TASK);
    if (hasStopped(entry)) await entry.ended;
    const problem = await orderProblem(connection, entry.task.request, entry.order);
    if (problem) return failure(problem);
    // Another window may have tried again meanwhile.
    return success(hasStopped(entry) ? this.#begin(connection, entry) : entry.task);
  }

  #begin(connection: OpenConnection, entry: Entry): ExportTask {
    entry.stop = new AbortController();
    update(entry, { ...WAITING, isDownloading: entry.order.fetch !== null });
    this.#notify(entry);
    entry.ended = this.#run(connection, entry);
    return entry.task;
  }

  find(exportId: string): Result<ExportTask, AppFault> {
    const entry = this.#entries.get(exportId);
    return entry ? success(entry.task) : failure(NO_TASK);
  }

  /** Newest first. */
  list(): ExportTask[] {
    return [...this.#entries.values()].map((e) => e.task).toReversed();
  }

  hasWritten(path: string): boolean {
    return this.list().some(({ report }) => report?.files.some((file) => file.path === path) === true);
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

  /** Stops all; the downloads that some wait for stay in the queue. */
  async close(): Promise<void> {
    await Promise.all([...this.#entries.values()].map((entry) => stopAndWait(entry, KEEPS_DOWNLOAD)));
    await Promise.all([...this.#entries.values()].map(removeFolder));
  }

  #notify({ task }: Entry): void {
    if (this.#entries.has(task.id)) this.#context.events.emit("exportChanged", task);
  }

  async #run(connection: OpenConnection, entry: Entry): Promise<void> {
    const work = this.#context.workload.begin();
    const throttle = new Throttle(this.#context.clock, EVENT_PAUSE_MS, () => this.#notify(entry));
    const rowsDone = createRowCounter();
    const onRows = (rows: number): void => {
      update(entry, { rowsDone: rowsDone(rows) });
      const { rowsTotal } = entry.task;
      work.progress(rowsTotal === 0 ? 0 : entry.task.rowsDone / rowsTotal);
      throttle.schedule();
    };
    try {
      const written = await this.#write(connection, entry, onRows);
      if (written.ok) await this.#finish(entry, written.value);
      else this.#stopped(entry, written.error);
    } catch (thrown) {
      this.#stopped(entry, faultOf(thrown));
    }
    throttle.stop();
    if (entry.task.state !== "finished") await removeFolder(entry);
    work.end(noticeOf(entry.task));
    this.#notify(entry);
  }

  async #write(
    connection: OpenConnection,
    entry: Entry,
    onProgress: (rows: number) => void,
  ): Promise<Result<ExportReport, AppFault>> {
    const { cache } = connection;
    const { request } = entry.task;
    const { destination, naming, fetch, hasFigure } = entry.order;
    const { signal } = entry.stop;
    const fetched = await fetch?.(connection, signal);
    if (fetched?.ok === false) return fetched;
    update(entry, { isDownloading: false });
    // With the stations that the download has made known.
    const name = firstFileName(connection, request, naming);
    if (!name.ok) return name;
    await this.#swept;
    if (entry.folder !== null) await mkdir(entry.folder, { recursive: true, mode: 0o700 });
    const path = destination.kind === "file" ? destination.path : join(this.#downloads, entry.task.id, name.value);
    const { rows: rowsTotal } = await forecastExport(cache, request, basename(path), signal);
    update(entry, { rowsTotal });
    this.#notify(entry);
    // Browsers can download files, but no folders.
    const options = { signal, onProgress, filesOnly: entry.folder !== null };
    const isReplaced = await exists(path);
    const written = await this.#context.writeGuarded(path, () =>
      exportSeries(cache, dataSource(connection), { ...request, path }, options),
    );
    if (written.ok && hasFigure) update(entry, { figure: await this.#draw(connection, entry, { path, isReplaced }) });
    return written;
  }

  /** Draws the figure beside the file. It replaces an earlier one only if the file did, which the user was asked about. */
  async #draw(
    connection: OpenConnection,
    { task, stop: { signal } }: Entry,
    file: { readonly path: string; readonly isReplaced: boolean },
  ): Promise<NonNullable<ExportTask["figure"]>> {
    const { users, settings, writeGuarded } = this.#context;
    const look = settings.read().figure;
    const wanted = figureRequest({ series: task.request, format: vectorFormat(look) }, look);
    if (!wanted.ok) return wanted;
    const path = withExtension(file.path, wanted.value.format);
    if (!file.isReplaced && (await exists(path)))
      return usageFailure(
        `${path} exists already. Move it away, or choose another file name, and run the export again.`,
      );
    return writeGuarded(path, () => writeFigure(connection, users, { ...wanted.value, path }, signal));
  }

  #stopped(entry: Entry, fault: AppFault): void {
    const isCancelled = entry.stop.signal.aborted || fault.kind === "cancelled";
    update(entry, isCancelled ? { state: "cancelled" } : { state: "failed", fault });
  }

  async #finish(entry: Entry, report: ExportReport): Promise<void> {
    // Replaces the estimated row count with the actual one.
    const counted = { rowsDone: report.rows, rowsTotal: report.rows };
    const href = entry.folder === null ? undefined : this.#context.desktop?.downloadHref;
    const { figure } = entry.task;
    const drawn = figure?.ok ? figure.value.path : null;
    const paths = [...report.files.map((f) => f.path), report.sidecarPath, drawn].filter((path) => path !== null);
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

/** The state of an export before its first row. */
const WAITING = {
  state: "running",
  isDownloading: false,
  rowsDone: 0,
  rowsTotal: 0,
  report: null,
  fault: null,
  figure: null,
  downloads: [],
} as const satisfies Partial<ExportTask>;

function hasStopped({ task: { state } }: Entry): boolean {
  return state === "failed" || state === "cancelled";
}

/** Why an export cannot be written, before it begins; null if it can. */
async function orderProblem(
  connection: OpenConnection,
  request: Selection,
  { destination, naming }: Order,
): Promise<AppFault | null> {
  const name = firstFileName(connection, request, naming);
  if (!name.ok) return name.error;
  const problem = contentProblem(request);
  if (problem || destination.kind !== "file") return problem;
  return placeProblem(destination.path, request.format);
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

function update(entry: Entry, changes: Partial<ExportTask>): void {
  entry.task = { ...entry.task, ...changes };
}

/** What cannot be deleted now, as when another program has it open, is deleted at the next start. */
async function removeFolder({ folder }: Entry): Promise<void> {
  if (folder === null) return;
  await rm(folder, { recursive: true, force: true }).catch((thrown: unknown) =>
    log.warn("the files of an export were not deleted", thrown),
  );
}

async function stopAndWait(entry: Entry, reason?: typeof KEEPS_DOWNLOAD): Promise<void> {
  entry.stop.abort(reason);
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
