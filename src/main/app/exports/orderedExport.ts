import { randomUUID } from "node:crypto";
import { mkdir, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import type { ExportTask } from "#shared/bridge/methods/export.ts";
import { type AppFault, usageFailure } from "#shared/fault.ts";
import type { ExportReport, ExportRequest } from "#shared/file/export.ts";
import { withExtension } from "#shared/file/fileName.ts";
import type { Result } from "#shared/service/error.ts";
import { count } from "#shared/text.ts";
import { contentProblem, exportSeries } from "../../export/exportSeries.ts";
import { faultOf } from "../../fault.ts";
import { log } from "../../log/index.ts";
import type { Desktop } from "../../ports.ts";
import type { UserStore } from "../../store/index.ts";
import type { Clock } from "../../sync/clock.ts";
import type { OpenConnection } from "../connections/connections.ts";
import type { Events } from "../events.ts";
import type { KEEPS_DOWNLOAD } from "../jobs/queue.ts";
import { Throttle } from "../throttle.ts";
import type { SettingsStore } from "../settings.ts";
import type { GuardedWrite } from "../storage/ownFiles.ts";
import type { Workload } from "../workload.ts";
import { dataSource } from "./dataSource.ts";
import { figureRequest, vectorFormat, writeFigure } from "./figure.ts";
import { forecastExport } from "./forecastExport.ts";
import { firstFileName, type Naming, placeProblem } from "./place.ts";

export type Selection = Omit<ExportRequest, "path">;
export type Destination = { readonly kind: "file"; readonly path: string } | { readonly kind: "download" };

/** Downloads what the cache lacks of an export. */
export type FetchMissing = (connection: OpenConnection, signal: AbortSignal) => Promise<Result<null, AppFault>>;

/** What an export writes, and where. */
export interface Order {
  readonly destination: Destination;
  readonly naming: Naming;
  /** null: only cached data. */
  readonly fetch: FetchMissing | null;
  /** Whether a figure of the series is drawn beside the file. */
  readonly hasFigure: boolean;
}

/** What all exports share. */
export interface ExportPorts {
  /** For files that a window offers for download. */
  readonly downloadFolder: string;
  readonly writeGuarded: GuardedWrite;
  readonly events: Events;
  readonly clock: Clock;
  readonly workload: Workload;
  readonly desktop: Desktop | undefined;
  readonly users: UserStore;
  readonly settings: SettingsStore;
}

const EVENT_PAUSE_MS = 200;

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

/** An export of a window, which can be written again if it failed or was cancelled. */
export class OrderedExport {
  readonly #ports: ExportPorts;
  readonly #order: Order;
  /** Folder of files for download, deleted with the export; null if the user named the file. */
  readonly #folder: string | null;
  #task: ExportTask;
  #stop = new AbortController();
  #ended = Promise.resolve();
  #isForgotten = false;

  constructor(ports: ExportPorts, connectionId: string, request: Selection, order: Order) {
    const id = randomUUID();
    this.#ports = ports;
    this.#order = order;
    this.#folder = order.destination.kind === "file" ? null : join(ports.downloadFolder, id);
    this.#task = { id, connectionId, request, ...WAITING };
  }

  get task(): ExportTask {
    return this.#task;
  }

  /** Why it cannot be written, before it begins; null if it can. */
  async problem(connection: OpenConnection): Promise<AppFault | null> {
    const { request } = this.#task;
    const { destination, naming } = this.#order;
    const name = firstFileName(connection, request, naming);
    if (!name.ok) return name.error;
    const problem = contentProblem(request);
    if (problem || destination.kind !== "file") return problem;
    return placeProblem(destination.path, request.format);
  }

  begin(connection: OpenConnection): void {
    this.#stop = new AbortController();
    this.#update({ ...WAITING, isDownloading: this.#order.fetch !== null });
    this.#notify();
    this.#ended = this.#run(connection);
  }

  /** Writes it again if it failed or was cancelled. Of several tries at once, the first one begins. */
  async retry(connection: OpenConnection): Promise<AppFault | null> {
    if (this.#hasStopped) await this.#ended;
    const problem = await this.problem(connection);
    // Checked after the last wait, because another try may have begun during it.
    if (!problem && this.#hasStopped) this.begin(connection);
    return problem;
  }

  /** Whether it ended without a file. */
  get #hasStopped(): boolean {
    return this.#task.state === "failed" || this.#task.state === "cancelled";
  }

  async stop(reason?: typeof KEEPS_DOWNLOAD): Promise<void> {
    this.#stop.abort(reason);
    await this.#ended;
  }

  async forget(): Promise<void> {
    this.#isForgotten = true;
    await this.stop();
    await this.removeFolder();
    this.#ports.events.emit("exportRemoved", { exportId: this.#task.id });
  }

  /** Deletes its files for download. What another program has open is deleted at the next start. */
  async removeFolder(): Promise<void> {
    if (this.#folder === null) return;
    await rm(this.#folder, { recursive: true, force: true }).catch((thrown: unknown) =>
      log.warn("the files of an export were not deleted", thrown),
    );
  }

  #update(changes: Partial<ExportTask>): void {
    this.#task = { ...this.#task, ...changes };
  }

  #notify(): void {
    if (!this.#isForgotten) this.#ports.events.emit("exportChanged", this.#task);
  }

  async #run(connection: OpenConnection): Promise<void> {
    const work = this.#ports.workload.begin();
    const throttle = new Throttle(this.#ports.clock, EVENT_PAUSE_MS, () => this.#notify());
    const rowsDone = createRowCounter();
    const onRows = (rows: number): void => {
      this.#update({ rowsDone: rowsDone(rows) });
      const { rowsTotal } = this.#task;
      work.progress(rowsTotal === 0 ? 0 : this.#task.rowsDone / rowsTotal);
      throttle.schedule();
    };
    try {
      const written = await this.#write(connection, onRows);
      if (written.ok) await this.#finish(written.value);
      else this.#fail(written.error);
    } catch (thrown) {
      this.#fail(faultOf(thrown));
    }
    throttle.stop();
    if (this.#task.state !== "finished") await this.removeFolder();
    work.end(noticeOf(this.#task));
    this.#notify();
  }

  async #write(
    connection: OpenConnection,
    onProgress: (rows: number) => void,
  ): Promise<Result<ExportReport, AppFault>> {
    const { cache } = connection;
    const { request } = this.#task;
    const { destination, naming, fetch, hasFigure } = this.#order;
    const { signal } = this.#stop;
    const fetched = await fetch?.(connection, signal);
    if (fetched?.ok === false) return fetched;
    this.#update({ isDownloading: false });
    // With the stations that the download has made known.
    const name = firstFileName(connection, request, naming);
    if (!name.ok) return name;
    const folder = this.#folder;
    if (folder !== null) await mkdir(folder, { recursive: true, mode: 0o700 });
    const path = destination.kind === "file" ? destination.path : join(folder ?? "", name.value);
    const { rows: rowsTotal } = await forecastExport(cache, request, basename(path), signal);
    this.#update({ rowsTotal });
    this.#notify();
    // Browsers can download files, but no folders.
    const options = { signal, onProgress, filesOnly: folder !== null };
    const isReplaced = await exists(path);
    const written = await this.#ports.writeGuarded(path, () =>
      exportSeries(cache, dataSource(connection), { ...request, path }, options),
    );
    if (written.ok && hasFigure) this.#update({ figure: await this.#draw(connection, { path, isReplaced }) });
    return written;
  }

  /** Draws the figure beside the file. It replaces an earlier one only if the file did, which the user was asked about. */
  async #draw(
    connection: OpenConnection,
    file: { readonly path: string; readonly isReplaced: boolean },
  ): Promise<NonNullable<ExportTask["figure"]>> {
    const { users, settings, writeGuarded } = this.#ports;
    const look = settings.read().figure;
    const wanted = figureRequest({ series: this.#task.request, format: vectorFormat(look) }, look);
    if (!wanted.ok) return wanted;
    const path = withExtension(file.path, wanted.value.format);
    if (!file.isReplaced && (await exists(path)))
      return usageFailure(
        `${path} exists already. Move it away, or choose another file name, and run the export again.`,
      );
    return writeGuarded(path, () =>
      writeFigure(connection, users, { ...wanted.value, path }, { signal: this.#stop.signal }),
    );
  }

  #fail(fault: AppFault): void {
    const isCancelled = this.#stop.signal.aborted || fault.kind === "cancelled";
    this.#update(isCancelled ? { state: "cancelled" } : { state: "failed", fault });
  }

  async #finish(report: ExportReport): Promise<void> {
    // Replaces the estimated row count with the actual one.
    const counted = { rowsDone: report.rows, rowsTotal: report.rows };
    const href = this.#folder === null ? undefined : this.#ports.desktop?.downloadHref;
    const { figure, id } = this.#task;
    const drawn = figure?.ok ? figure.value.path : null;
    const paths = [...report.files.map((f) => f.path), report.sidecarPath, drawn].filter((path) => path !== null);
    const offered = href === undefined ? [] : await Promise.all(paths.map((path) => offer(id, path, href)));
    this.#update({ state: "finished", report, downloads: offered, ...counted });
  }
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
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
