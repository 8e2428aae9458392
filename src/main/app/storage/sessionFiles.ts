import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, stat, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { writeReplacing } from "#formats/temporary.ts";
import type { OpenedFile } from "#shared/file/opened.ts";
import type { OpenedSession, SessionFile, SessionForecast, ShareSelection } from "#shared/bridge/methods/views.ts";
import { type AppFault, usageFailure } from "#shared/fault.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import type { VariableKind } from "#shared/service/variables.ts";
import { type RangeSet, rangeSet, union } from "#shared/time/rangeset.ts";
import { formatUtcShort, type UtcMs } from "#shared/time/utc.ts";
import { resolveMovingRange } from "#shared/time/typed.ts";
import { MAX_VIEW_FILE_BYTES, readViewFile, VIEW_FILE_EXTENSION, writeViewFile } from "#shared/views/file.ts";
import { freeName, type SavedView, type ViewWorkspace } from "#shared/views/view.ts";
import { PROGRAM } from "../../program.ts";
import {
  estimateSessionFile,
  finishCopy,
  isArchive,
  lockFile,
  readSessionFile,
  removeCopy,
  removeLockFile,
  type SessionManifest,
  type SessionParts,
  writeSessionFile,
  type ConnectionRecord,
} from "../../store/index.ts";
import type { WorkPace } from "../../store/types.ts";
import { dataSource, markSimulated } from "../exports/dataSource.ts";
import type { Connections, OpenConnection } from "../connections/connections.ts";
import type { GuardedWrite } from "./ownFiles.ts";
import { placeProblem } from "../exports/place.ts";
import type { SavedViews } from "../namedRecords.ts";

interface NewFile {
  readonly path: string;
  readonly author: string | null;
  readonly tellsAddress: boolean;
}

interface SessionFilesContext {
  readonly dataFolder: string;
  readonly connections: Connections;
  readonly views: SavedViews;
  readonly writeGuarded: GuardedWrite;
  /** Opened files, to which views may refer. */
  readonly openedFiles: () => readonly Pick<OpenedFile, "id" | "name">[];
  readonly nowMs: () => UtcMs;
}

/** Shares views and, optionally, data with a colleague, but never the key. Functions throw `StoreError`. */
export class SessionFiles {
  readonly #context: SessionFilesContext;

  constructor(context: SessionFilesContext) {
    this.#context = context;
  }

  /** All saved views, by name. */
  views(): SavedView[] {
    return this.#context.views.list();
  }

  /** Estimates the content of a file with data. */
  estimate(connection: OpenConnection, selection: ShareSelection): Result<SessionForecast, AppFault> {
    const parts = this.#partsOf(connection, selection);
    if (!parts.ok) return parts;
    const { stations, bytes } = estimateSessionFile(connection.cache, parts.value);
    return success({ stations, bytes, hasData: stations > 0 });
  }

  /** Writes views without data, as JSON. */
  async saveViews(names: readonly string[], path: string): Promise<Result<SessionFile, AppFault>> {
    const all = this.#viewsNamed(names);
    if (!all.ok) return all;
    if (all.value.length === 0) return usageFailure("There is no view to share. Save one first.");
    const problem = await placeProblem(path, "sqlite");
    if (problem) return failure(problem);
    await this.#context.writeGuarded(path, () =>
      writeReplacing(path, (unfinished) => writeFile(unfinished, writeViewFile(all.value))),
    );
    const { size } = await stat(path);
    const withoutFiles = this.#filesOf(all.value);
    return success({ path, name: basename(path), bytes: size, stations: 0, views: names.length, withoutFiles });
  }

  /** Writes views and data. */
  async save(
    connection: OpenConnection,
    selection: ShareSelection,
    { path, author, tellsAddress }: NewFile,
    pace: WorkPace,
  ): Promise<Result<SessionFile, AppFault>> {
    const parts = this.#partsOf(connection, selection);
    if (!parts.ok) return parts;
    const all = this.#viewsNamed(selection.names);
    if (!all.ok) return all;
    const problem = await placeProblem(path, "sqlite");
    if (problem) return failure(problem);
    const { record, cache } = connection;
    const also = selection.also ? [viewOf(selection.also, this.#context.nowMs())] : [];
    const shared = [...all.value, ...also].map((view) => fixedView(view, this.#context.nowMs()));
    const withoutFiles = this.#filesOf(shared);
    const manifest: SessionManifest = {
      version: 1,
      program: PROGRAM,
      savedAtMs: this.#context.nowMs(),
      author,
      connectionName: record.name,
      // The address of the demo changes with every start.
      baseUrl: tellsAddress && record.kind !== "demo" && record.baseUrl !== "" ? withoutUser(record.baseUrl) : null,
      ...(dataSource(connection).isSimulated ? { isSimulated: true } : {}),
      withoutFiles,
      views: shared.length === 0 ? null : writeViewFile(shared),
    };
    try {
      const { bytes, stations } = await this.#context.writeGuarded(path, () =>
        writeSessionFile(cache, path, { manifest, parts: parts.value }, pace),
      );
      return success({ path, name: basename(path), bytes, stations, views: shared.length, withoutFiles });
    } catch (thrown) {
      if (pace.signal.aborted) return failure(CANCELLED);
      throw thrown;
    }
  }

  /** Saves the views of a file under free names, and its data as a connection of its own. */
  async open(path: string, name: string, pace: WorkPace): Promise<Result<OpenedSession, AppFault>> {
    if (isArchive(path)) return this.#openData(path, name, pace);
    const read = await readViewsAt(path, name);
    if (!read.ok) return read;
    const kept = this.#saveOpenedViews(read.value, null);
    return kept.ok ? success({ connection: null, views: kept.value, withoutFiles: [] }) : kept;
  }

  #viewsNamed(names: readonly string[]): Result<SavedView[], AppFault> {
    const kept = new Map(this.#context.views.list().map((view) => [view.name, view]));
    const missing = names.find((name) => !kept.has(name));
    if (missing !== undefined) return usageFailure(`The view “${missing}” no longer exists.`);
    return success(names.flatMap((name) => kept.get(name) ?? []));
  }

  #partsOf(connection: OpenConnection, selection: ShareSelection): Result<SessionParts, AppFault> {
    const all = this.#viewsNamed(selection.names);
    if (!all.ok) return all;
    const { id } = connection.record;
    const own = all.value.filter((view) => view.connectionId === null || view.connectionId === id);
    const wanted = [
      ...own.map((view) => fixedView(view, this.#context.nowMs()).workspace),
      ...(selection.also ? [selection.also] : []),
    ];
    const ranges = new Map<string, RangeSet>();
    for (const { stationIds, range } of wanted)
      for (const stationId of stationIds) ranges.set(stationId, union(ranges.get(stationId) ?? [], rangeSet([range])));
    const kinds: readonly VariableKind[] = selection.satellites ? ["scalar", "satellite"] : ["scalar"];
    return success({ ranges, kinds });
  }

  /** Renames views to names that are free. */
  #withFreeNames(found: readonly SavedView[]): SavedView[] {
    const taken = new Set(this.#context.views.names());
    return found.map((view) => {
      const name = freeName(view.name, taken);
      taken.add(name);
      return { ...view, name };
    });
  }

  #saveOpenedViews(found: readonly SavedView[], connectionId: string | null): Result<SavedView[], AppFault> {
    const own = this.#withFreeNames(found).map((view) => ({ ...view, connectionId }));
    if (own.length === 0) return success([]);
    const saved = this.#context.views.save(own);
    return saved.ok ? success(own) : saved;
  }

  async #openData(path: string, name: string, pace: WorkPace): Promise<Result<OpenedSession, AppFault>> {
    const id = randomUUID();
    const cacheFile = `cache-${id}.db`;
    const target = join(this.#context.dataFolder, cacheFile);
    // As long as it is held, no other process takes the unfinished file for that of a killed one.
    const release = lockFile(target, "open a session file");
    let record: ConnectionRecord;
    let read: Result<SavedView[], AppFault>;
    let manifest: SessionManifest;
    try {
      ({ manifest } = await readSessionFile(path, name, target, pace));
      read = manifest.views === null ? success([]) : readViewFile(manifest.views);
      if (!read.ok) {
        removeCopy(target);
        return failure({ ...read.error, message: `${name}: ${read.error.message}` });
      }
      record = this.#context.connections.addFile(id, sourceName(manifest, name), manifest.baseUrl ?? "", cacheFile);
      // Last: after a kill in between, the next start removes the connection without a file.
      finishCopy(target);
    } catch (thrown) {
      if (pace.signal.aborted) return failure(CANCELLED);
      throw thrown;
    } finally {
      release();
      if (!existsSync(target)) removeLockFile(target);
    }
    if (manifest.isSimulated) markSimulated((await this.#context.connections.open(record)).cache);
    const kept = this.#saveOpenedViews(read.value, id);
    if (!kept.ok) {
      await this.#context.connections.remove(id);
      return kept;
    }
    return success({
      connection: await this.#context.connections.info(record),
      views: kept.value,
      withoutFiles: manifest.withoutFiles,
    });
  }

  /** Names of the opened files to which views refer: their data are in no session file. */
  #filesOf(shared: readonly SavedView[]): string[] {
    const panes = JSON.stringify(shared.map(({ workspace }) => workspace.panes));
    return this.#context.openedFiles().flatMap(({ id, name }) => (panes.includes(id) ? [name] : []));
  }
}

/** Fixes a moving range at its current position, because it would move beyond the data of the file. */
function fixedView(view: SavedView, nowMs: UtcMs): SavedView {
  const { range, moving } = view.workspace;
  const now = moving && resolveMovingRange(moving, nowMs);
  return { ...view, workspace: { ...view.workspace, range: now ?? range, moving: null } };
}

/** Number of stations that a plot can distinguish. */
const MAX_PLOTTED_STATIONS = 20;

/** The current selection as a view, shared in addition to saved views. */
function viewOf({ stationIds, range, workspace }: NonNullable<ShareSelection["also"]>, nowMs: UtcMs): SavedView {
  const first = stationIds.slice(0, MAX_PLOTTED_STATIONS);
  const plain: ViewWorkspace = {
    stationIds: first,
    slots: Object.fromEntries(first.map((id, i) => [id, i])),
    range,
    moving: null,
    variables: ["ztd", "pwv"],
    intervalSeconds: null,
    raw: false,
    resampled: false,
    showSigma: true,
    view: "series",
    panes: {},
  };
  return { name: "Shared selection", connectionId: null, savedAtMs: nowMs, workspace: workspace ?? plain };
}

const CANCELLED: AppFault = { kind: "cancelled", message: "Stopped. Nothing was saved.", cause: null };

/** "From Anna’s file, 2026-11-14", or the name of the file if it names no author. */
function sourceName({ author, savedAtMs }: SessionManifest, fileName: string): string {
  const whose = author === null || author.trim() === "" ? withoutEnding(fileName) : `${author.trim()}’s file`;
  return `From ${whose}, ${formatUtcShort(savedAtMs).slice(0, 10)}`.slice(0, 100);
}

function withoutEnding(fileName: string): string {
  const isOurs = fileName.toLowerCase().endsWith(VIEW_FILE_EXTENSION);
  return (isOurs ? fileName.slice(0, -VIEW_FILE_EXTENSION.length) : fileName).slice(0, 60);
}

/** Removes user and password from an address, because they are as secret as a key. */
function withoutUser(baseUrl: string): string {
  const url = new URL(baseUrl);
  return url.origin + url.pathname.replace(/\/$/, "");
}

/** Reads the views in a view file. @param name as the user knows the file */
async function readViewsAt(path: string, name: string): Promise<Result<SavedView[], AppFault>> {
  try {
    if ((await stat(path)).size > MAX_VIEW_FILE_BYTES)
      return failure({ kind: "disk", message: `${name}: this file is too large to hold views.`, cause: null });
    const read = readViewFile(await readFile(path, "utf8"));
    return read.ok ? read : failure({ ...read.error, message: `${name}: ${read.error.message}` });
  } catch (thrown) {
    const message = `${name} cannot be read. Check that it exists and is readable, then open it again.`;
    return failure({ kind: "disk", message, cause: String(thrown) });
  }
}
