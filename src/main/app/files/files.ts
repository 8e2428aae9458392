import { randomUUID } from "node:crypto";
import type { FilePage, FileRowOrder, FileWindow } from "#shared/bridge/methods/files.ts";
import { realpath, stat } from "node:fs/promises";
import type { ChosenColumns } from "#shared/file/columns.ts";
import type { FileGrant, OpenedFile } from "#shared/file/opened.ts";
import { type AppFault, usageFailure, usageFault } from "#shared/fault.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import type { Events } from "../events.ts";
import type { ColumnChoices } from "./columns.ts";
import { createGrants, deleteCopy, type FilePlace, type GrantedFile } from "./grants.ts";
import { fileFault, type FilePageQuery, type FileWindowQuery, type GridPointsQuery } from "./read.ts";
import type { FileRows } from "#formats/open/index.ts";
import type { FileOrderQuery, FileRowsQuery, RowsOfFile } from "./rowOrder.ts";
import type { RecentFiles } from "./recent.ts";
import type { FileRequestKind, FileRequests } from "./thread/messages.ts";
import { createFileThread, FileHangError, type FileThreadOptions } from "./thread/thread.ts";

/** Files that the user opened to view beside the cache. */
export interface OpenFiles {
  readonly recent: RecentFiles;
  /** Lets a page open files that a shell names. */
  grant(places: readonly FilePlace[]): Promise<FileGrant[]>;
  /** Adds files that the system asked the program to open; they wait until a window takes them. */
  offer(places: readonly FilePlace[]): Promise<void>;
  takeOffered(): FileGrant[];
  open(grantId: string, signal: AbortSignal): Promise<Result<OpenedFile, AppFault>>;
  /** Takes the file of a grant, for the caller to read and delete; null if the grant no longer exists. */
  take(grantId: string): GrantedFile | null;
  /** Reopens a text table with columns that the user chose, and saves them for other files with its header. */
  chooseColumns(fileId: string, columns: ChosenColumns, signal: AbortSignal): Promise<Result<OpenedFile, AppFault>>;
  list(): OpenedFile[];
  windows(fileId: string, query: FileWindowQuery, signal: AbortSignal): Promise<Result<FileWindow[], AppFault>>;
  page(fileId: string, query: FilePageQuery, signal: AbortSignal): Promise<Result<FilePage, AppFault>>;
  gridPoints(fileId: string, query: GridPointsQuery, signal: AbortSignal): Promise<Result<FileRows[], AppFault>>;
  rowOrder(fileId: string, query: FileOrderQuery, signal: AbortSignal): Promise<Result<FileRowOrder, AppFault>>;
  rowsAt(fileId: string, query: FileRowsQuery, signal: AbortSignal): Promise<Result<RowsOfFile, AppFault>>;
  close(fileId: string): void;
  closeAll(): void;
}

interface OpenEntry {
  readonly file: OpenedFile;
  readonly identity: string;
  readonly granted: GrantedFile;
}

/** Limited because each uses a file handle. */
const MAX_FILES = 50;
const GRANT_EXPIRED = "This file is no longer available. Choose it again.";
const NOT_OPEN = usageFault("This file is no longer open. Open it again.");

export function createOpenFiles(
  events: Events,
  recent: RecentFiles,
  choices: ColumnChoices,
  options: Omit<FileThreadOptions, "onLost"> = {},
): OpenFiles {
  const grants = createGrants();
  const open = new Map<string, OpenEntry>();
  const thread = createFileThread({ onLost: forget, ...options });
  let offered: FileGrant[] = [];

  function forget(fileIds: readonly string[] | null): void {
    for (const id of fileIds ?? [...open.keys()]) {
      const kept = open.get(id);
      if (kept) deleteCopy(kept.granted);
      open.delete(id);
    }
    events.emit("filesChanged", null);
  }

  /** Sends a request about an open file to the thread. If that hangs, the fault names the file. */
  async function request<K extends Exclude<FileRequestKind, "open">>(
    kind: K,
    fileId: string,
    query: FileRequests[K]["query"],
    signal: AbortSignal,
  ): Promise<FileRequests[K]["result"]> {
    const kept = open.get(fileId);
    if (!kept) return failure(NOT_OPEN);
    try {
      return await thread.request(kind, fileId, query, signal);
    } catch (thrown) {
      if (thrown instanceof FileHangError) return usageFailure(hangSentence(kept.granted.name, "was closed"));
      // After another file hung, this one was found changed on disk and was closed.
      if (!open.has(fileId)) return failure(NOT_OPEN);
      throw thrown;
    }
  }

  async function openOnce(granted: GrantedFile, signal: AbortSignal): Promise<Result<OpenedFile, AppFault>> {
    const identity = await identityOf(granted);
    const known = [...open.values()].find((kept) => identity !== null && kept.identity === identity);
    if (known) return success(known.file);
    if (open.size >= MAX_FILES)
      return usageFailure(
        `${granted.name} was not opened: ${MAX_FILES} files are open, the most at a time. Close some of them.`,
      );
    const read = await readFile(granted, undefined, signal);
    if (!read.ok) return read;
    open.set(read.value.id, { file: read.value, granted, identity: identity ?? read.value.id });
    if (!granted.isTemporary) recent.note(granted.path);
    events.emit("filesChanged", null);
    return read;
  }

  async function readFile(
    granted: GrantedFile,
    columns: ChosenColumns | undefined,
    signal: AbortSignal,
  ): Promise<Result<OpenedFile, AppFault>> {
    const { path, name, bytes } = granted;
    const id = randomUUID();
    const query = { path, name, columns, remembered: choices.list() };
    const answer = await thread.request("open", id, query, signal).catch((thrown: unknown) => {
      if (signal.aborted) return null;
      if (thrown instanceof FileHangError)
        return failure({ kind: "unreadable", message: hangSentence(name, "was not opened"), cause: null } as const);
      throw thrown;
    });
    if (answer === null) return failure({ kind: "cancelled", message: `Opening ${name} was stopped.`, cause: null });
    if (!answer.ok) return failure(fileFault(answer.error, granted));
    return success({ id, name, bytes, ...answer.value });
  }

  return {
    recent,
    grant: grants.add,
    async offer(places) {
      const added = await grants.add(places);
      if (added.length === 0) return;
      offered.push(...added);
      events.emit("filesOffered", null);
    },
    takeOffered() {
      const taken = offered;
      offered = [];
      return taken;
    },
    async open(grantId, signal) {
      const granted = grants.take(grantId);
      if (!granted) return usageFailure(GRANT_EXPIRED);
      const answer = await openOnce(granted, signal);
      const isKept = [...open.values()].some((kept) => kept.granted === granted);
      if (!isKept) deleteCopy(granted);
      return answer;
    },
    take: grants.take,
    async chooseColumns(fileId, columns, signal) {
      const kept = open.get(fileId);
      if (!kept) return failure(NOT_OPEN);
      const read = await readFile(kept.granted, columns, signal);
      if (!read.ok) return read;
      // Another window may have closed or changed the file.
      if (open.get(fileId) !== kept) {
        thread.close(read.value.id);
        return failure(NOT_OPEN);
      }
      const all = [...open];
      open.clear();
      for (const [id, each] of all)
        if (each === kept) open.set(read.value.id, { ...kept, file: read.value });
        else open.set(id, each);
      thread.close(fileId);
      const { table } = read.value;
      if (table?.header) choices.save(table.header, columns);
      events.emit("filesChanged", null);
      return read;
    },
    list: () => [...open.values()].map(({ file }) => file),
    windows: (fileId, query, signal) => request("windows", fileId, query, signal),
    page: (fileId, query, signal) => request("page", fileId, query, signal),
    gridPoints: (fileId, query, signal) => request("gridPoints", fileId, query, signal),
    rowOrder: (fileId, query, signal) => request("rowOrder", fileId, query, signal),
    rowsAt: (fileId, query, signal) => request("rowsAt", fileId, query, signal),
    close(fileId) {
      const kept = open.get(fileId);
      if (!kept) return;
      open.delete(fileId);
      thread.close(fileId);
      deleteCopy(kept.granted);
      events.emit("filesChanged", null);
    },
    closeAll() {
      thread.end();
      for (const { granted } of open.values()) deleteCopy(granted);
      open.clear();
      grants.clear();
    },
  };
}

function hangSentence(name: string, outcome: string): string {
  const why = "It may be damaged, or its disk may not answer.";
  return `${name} ${outcome}: reading it did not finish. ${why} The other files stay open.`;
}

/** Identifies the same content at the same path; null for temporary copies and folders. */
async function identityOf({ path, isTemporary }: GrantedFile): Promise<string | null> {
  if (isTemporary) return null;
  const [real, found] = await Promise.all([realpath(path), stat(path)]).catch(() => [null, null]);
  return real && found?.isFile() ? `${real}\n${found.size}\n${found.mtimeMs}` : null;
}
