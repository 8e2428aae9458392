import { rm } from "node:fs/promises";
import type { ExportForecast, ExportTask } from "#shared/bridge/methods/export.ts";
import { type AppFault, usageFault } from "#shared/fault.ts";
import { downloadFor, type SavedExport } from "#shared/file/savedExport.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import { contentProblem } from "../../export/exportSeries.ts";
import type { OpenConnection } from "../connections/connections.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { KEEPS_DOWNLOAD } from "../jobs/queue.ts";
import { exportCommand } from "./command.ts";
import { forecastExport } from "./forecastExport.ts";
import { type Destination, type ExportPorts, type Order, OrderedExport, type Selection } from "./orderedExport.ts";
import { firstFileName, type Naming } from "./place.ts";

interface ExportContext extends ExportPorts {
  readonly dataFolder: string;
  readonly jobs: Jobs;
}

const NO_TASK = usageFault("This export no longer exists.");

/** Exports that continue when their window closes, but end with the program. */
export class ExportTasks {
  readonly #context: ExportContext;
  #swept: Promise<void> | null = null;
  readonly #exports = new Map<string, OrderedExport>();

  constructor(context: ExportContext) {
    this.#context = context;
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
    const created = new OrderedExport(this.#context, connection.record.id, request, order);
    const problem = await created.problem(connection);
    if (problem) return failure(problem);
    await this.#swept;
    this.#exports.set(created.task.id, created);
    created.begin(connection);
    return success(created.task);
  }

  /** Writes an export that failed or was cancelled again, as it was ordered. */
  async retry(connection: OpenConnection, exportId: string): Promise<Result<ExportTask, AppFault>> {
    const found = this.#exports.get(exportId);
    if (!found) return failure(NO_TASK);
    const problem = await found.retry(connection);
    return problem ? failure(problem) : success(found.task);
  }

  find(exportId: string): Result<ExportTask, AppFault> {
    const found = this.#exports.get(exportId);
    return found ? success(found.task) : failure(NO_TASK);
  }

  /** Newest first. */
  list(): ExportTask[] {
    return [...this.#exports.values()].map(({ task }) => task).toReversed();
  }

  hasWritten(path: string): boolean {
    return this.list().some(({ report }) => report?.files.some((file) => file.path === path) === true);
  }

  async cancel(exportId: string): Promise<Result<ExportTask, AppFault>> {
    const found = this.#exports.get(exportId);
    if (!found) return failure(NO_TASK);
    await found.stop();
    return success(found.task);
  }

  async remove(exportId: string): Promise<Result<null, AppFault>> {
    const found = this.#exports.get(exportId);
    if (!found) return failure(NO_TASK);
    await this.#forget(found);
    return success(null);
  }

  /** Stops and forgets the exports of a connection that is about to be removed. */
  async drop(connectionId: string): Promise<void> {
    const ofConnection = [...this.#exports.values()].filter(({ task }) => task.connectionId === connectionId);
    for (const each of ofConnection) await this.#forget(each);
  }

  /** Deletes downloadable files of an earlier run; once. */
  sweep(): Promise<void> {
    // Failing to delete leftovers must not prevent the start.
    this.#swept ??= rm(this.#context.downloadFolder, { recursive: true, force: true }).catch(() => undefined);
    return this.#swept;
  }

  /** Stops all; the downloads that some wait for stay in the queue. */
  async close(): Promise<void> {
    const all = [...this.#exports.values()];
    await Promise.all(all.map((each) => each.stop(KEEPS_DOWNLOAD)));
    await Promise.all(all.map((each) => each.removeFolder()));
  }

  async #forget(removed: OrderedExport): Promise<void> {
    this.#exports.delete(removed.task.id);
    await removed.forget();
  }
}
