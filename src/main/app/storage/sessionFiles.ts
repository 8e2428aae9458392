import { randomUUID } from "node:crypto";
import { rm, stat, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { writeReplacing } from "#formats/temporary.ts";
import type { ShareSelection, OpenedSession, SessionFile, SessionForecast } from "#shared/bridge/methods/views.ts";
import { type AppFault, usageFault } from "#shared/fault.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import type { VariableKind } from "#shared/service/variables.ts";
import { type RangeSet, rangeSet, union } from "#shared/time/rangeset.ts";
import { formatUtcShort, type UtcMs } from "#shared/time/utc.ts";
import { resolveMovingRange } from "#shared/time/typed.ts";
import { readViewFile, VIEW_FILE_ENDING, writeViewFile } from "#shared/views/file.ts";
import { freeName } from "#shared/views/freeName.ts";
import type { SavedView, ViewWorkspace } from "#shared/views/view.ts";
import { PROGRAM } from "../../program.ts";
import { estimateSessionFile, isDatabaseFile, readSessionFile, writeSessionFile } from "../../store/index.ts";
import type { SessionManifest, SessionParts } from "../../store/index.ts";
import type { Connections, OpenConnection } from "../connections/connections.ts";
import { placeProblem } from "../exports/place.ts";
import type { SavedViews } from "../savedViews.ts";
import { readViewsAt } from "../files/views.ts";
import type { MoveNotes } from "./moveNotes.ts";
import type { OwnFiles } from "./ownFiles.ts";

/** Handing a session to a colleague: views and, if wanted, the data; never the key. Functions throw `StoreError`. */
export interface SessionFiles {
  /** All saved views, by name. */
  views(): SavedView[];
  /** What a file with data would hold. */
  estimate(connection: OpenConnection, selection: ShareSelection): Result<SessionForecast, AppFault>;
  /** Writes views alone, as text. */
  saveViews(names: readonly string[], path: string): Promise<Result<SessionFile, AppFault>>;
  /** Writes views and data. */
  save(
    connection: OpenConnection,
    selection: ShareSelection,
    about: About,
    path: string,
    pace: Pace,
  ): Promise<Result<SessionFile, AppFault>>;
  /** Keeps the views of a file under free names, and its data as a connection of their own. */
  open(path: string, name: string, pace: Pace): Promise<Result<OpenedSession, AppFault>>;
}

export interface About {
  readonly author: string | null;
  readonly tellsAddress: boolean;
}

export interface Pace {
  /** Share, 0 to 1. */
  readonly onProgress: (share: number) => void;
  readonly signal: AbortSignal;
}

export interface SessionFilesContext {
  readonly dataFolder: string;
  readonly connections: Connections;
  readonly views: SavedViews;
  /** A file that was half opened or half written when the program was killed is cleaned like a half moved cache. */
  readonly notes: MoveNotes;
  readonly ownFiles: Pick<OwnFiles, "demandForeign">;
  readonly nowMs: () => UtcMs;
}

export function createSessionFiles(context: SessionFilesContext): SessionFiles {
  const { connections, views, notes, ownFiles, dataFolder } = context;

  function chosen(names: readonly string[]): Result<SavedView[], AppFault> {
    const kept = new Map(views.list().map((view) => [view.name, view]));
    const missing = names.find((name) => !kept.has(name));
    if (missing !== undefined) return failure(usageFault(`The view “${missing}” no longer exists.`));
    return success(names.flatMap((name) => kept.get(name) ?? []));
  }

  function partsOf(connection: OpenConnection, selection: ShareSelection): Result<SessionParts, AppFault> {
    const all = chosen(selection.names);
    if (!all.ok) return all;
    const { id } = connection.record;
    const own = all.value.filter((view) => view.connectionId === null || view.connectionId === id);
    const wanted = [
      ...own.map((view) => fixedView(view, context.nowMs()).workspace),
      ...(selection.also ? [selection.also] : []),
    ];
    const ranges = new Map<string, RangeSet>();
    for (const { stationIds, range } of wanted)
      for (const stationId of stationIds) ranges.set(stationId, union(ranges.get(stationId) ?? [], rangeSet([range])));
    const kinds: readonly VariableKind[] = selection.satellites ? ["scalar", "satellite"] : ["scalar"];
    return success({ ranges, kinds });
  }

  /** A name that is free, for each of the views. */
  function renamed(found: readonly SavedView[]): SavedView[] {
    const taken = new Set(views.list().map((view) => view.name));
    return found.map((view) => {
      const name = freeName(view.name, taken);
      taken.add(name);
      return { ...view, name };
    });
  }

  function keepViews(found: readonly SavedView[], connectionId: string | null): Result<SavedView[], AppFault> {
    const own = renamed(found).map((view) => ({ ...view, connectionId }));
    if (own.length === 0) return success([]);
    const saved = views.save(own);
    return saved.ok ? success(own) : saved;
  }

  async function openData(path: string, name: string, pace: Pace): Promise<Result<OpenedSession, AppFault>> {
    const id = randomUUID();
    const cacheFile = `cache-${id}.db`;
    const target = join(dataFolder, cacheFile);
    const note = { from: target, to: target };
    notes.begin(note);
    try {
      const { manifest } = await readSessionFile(path, name, target, pace);
      const read = manifest.views === null ? success([]) : readViewFile(manifest.views);
      if (!read.ok) {
        await rm(target, { force: true });
        return failure(usageFault(`${name}: ${read.error.message}`));
      }
      const record = connections.addFile(id, nameOf(manifest, name), manifest.baseUrl ?? "", cacheFile);
      const kept = keepViews(read.value, id);
      if (!kept.ok) {
        await connections.remove(id);
        return kept;
      }
      return success({ connection: await connections.info(record), views: kept.value });
    } catch (thrown) {
      if (pace.signal.aborted) return failure(STOPPED);
      throw thrown;
    } finally {
      notes.end(note);
    }
  }

  /** What is left beside the path when the program is killed meanwhile goes at a later start. */
  async function noted<T>(path: string, write: () => Promise<T>): Promise<T> {
    await ownFiles.demandForeign(path);
    const note = { from: null, to: path };
    notes.begin(note);
    try {
      return await write();
    } finally {
      notes.end(note);
    }
  }

  return {
    views: views.list,
    estimate(connection, selection) {
      const parts = partsOf(connection, selection);
      if (!parts.ok) return parts;
      const { stations, bytes, chunks } = estimateSessionFile(connection.cache.path, parts.value);
      return success({ stations, bytes, hasData: chunks > 0 });
    },
    async saveViews(names, path) {
      const all = chosen(names);
      if (!all.ok) return all;
      if (all.value.length === 0) return failure(usageFault("There is no view to share. Save one first."));
      const problem = await placeProblem(path, "sqlite");
      if (problem) return failure(problem);
      await noted(path, () => writeReplacing(path, (unfinished) => writeFile(unfinished, writeViewFile(all.value))));
      return success({ path, name: basename(path), bytes: (await stat(path)).size, stations: 0, views: names.length });
    },
    async save(connection, selection, { author, tellsAddress }, path, pace) {
      const parts = partsOf(connection, selection);
      if (!parts.ok) return parts;
      const all = chosen(selection.names);
      if (!all.ok) return all;
      const problem = await placeProblem(path, "sqlite");
      if (problem) return failure(problem);
      const { record, cache } = connection;
      const also = selection.also ? [viewOf(selection.also, context.nowMs())] : [];
      const handed = [...all.value, ...also].map((view) => fixedView(view, context.nowMs()));
      const manifest: SessionManifest = {
        version: 1,
        program: PROGRAM,
        savedAtMs: context.nowMs(),
        author,
        connectionName: record.name,
        // The demo has another address with every start.
        baseUrl: tellsAddress && record.kind !== "demo" && record.baseUrl !== "" ? withoutUser(record.baseUrl) : null,
        views: handed.length === 0 ? null : writeViewFile(handed),
      };
      try {
        const { bytes, sites } = await noted(path, () =>
          writeSessionFile(cache.path, path, manifest, parts.value, pace),
        );
        return success({ path, name: basename(path), bytes, stations: sites, views: handed.length });
      } catch (thrown) {
        if (pace.signal.aborted) return failure(STOPPED);
        throw thrown;
      }
    },
    async open(path, name, pace) {
      if (isDatabaseFile(path)) return openData(path, name, pace);
      const read = await readViewsAt(path, name);
      if (!read.ok) return read;
      const kept = keepViews(read.value, null);
      return kept.ok ? success({ connection: null, views: kept.value }) : kept;
    },
  };
}

/** A range that moves would leave the data of the file behind: there it stays where it is now. */
function fixedView(view: SavedView, nowMs: UtcMs): SavedView {
  const { range, moving } = view.workspace;
  const now = moving && resolveMovingRange(moving, nowMs);
  return { ...view, workspace: { ...view.workspace, range: now ?? range, moving: null } };
}

/** Of a whole catalogue, those that a plot can tell apart. */
const MOST_SHOWN = 20;

/** What goes along beside saved views, as one of them. */
function viewOf({ stationIds, range, workspace }: NonNullable<ShareSelection["also"]>, nowMs: UtcMs): SavedView {
  const first = stationIds.slice(0, MOST_SHOWN);
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
  return { name: "What was shown", connectionId: null, savedAtMs: nowMs, workspace: workspace ?? plain };
}

const STOPPED: AppFault = { kind: "cancelled", message: "Stopped. Nothing was saved.", cause: null };

/** "From Anna’s file, 2026-11-14", or the name of the file where nobody is named. */
function nameOf({ author, savedAtMs }: SessionManifest, fileName: string): string {
  const whose = author === null || author.trim() === "" ? plainName(fileName) : `${author.trim()}’s file`;
  return `From ${whose}, ${formatUtcShort(savedAtMs).slice(0, 10)}`.slice(0, 100);
}

function plainName(fileName: string): string {
  const isOurs = fileName.toLowerCase().endsWith(VIEW_FILE_ENDING);
  return (isOurs ? fileName.slice(0, -VIEW_FILE_ENDING.length) : fileName).slice(0, 60);
}

/** An address may name a user and a password: they are as secret as a key. */
function withoutUser(baseUrl: string): string {
  const url = new URL(baseUrl);
  return url.origin + url.pathname.replace(/\/$/, "");
}
