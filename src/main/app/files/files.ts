import { randomUUID } from "node:crypto";
import type { FilePage, FileRowOrder, FileWindow } from "#shared/bridge/methods/files.ts";
import { realpath, stat } from "node:fs/promises";
import type { ChosenColumns } from "#shared/file/columns.ts";
import type { FileGrant, OpenedFile } from "#shared/file/opened.ts";
import { type AppFault, usageFault } from "#shared/fault.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import type { Events } from "../events.ts";
import type { ColumnChoices } from "./columns.ts";
import { createGrants, dropCopy, type FilePlace, type GrantedFile } from "./grants.ts";
import { fileFault } from "./fault.ts";
import type { FileRows } from "#formats/open/index.ts";
import type { FilePageQuery, FileWindowQuery, GridPointsQuery } from "./read.ts";
import type { FileOrderQuery, FileRowsQuery, RowsOfFile } from "./rowOrder.ts";
import type { RecentFiles } from "./recent.ts";
import type { QuestionKind, Questions } from "./thread/messages.ts";
import { createFileThread, FileHangs, type FileThreadOptions } from "./thread/thread.ts";

/** Files that are looked at beside the cache. */
export interface OpenFiles {
  readonly recent: RecentFiles;
  /** Leave for a page to open what a shell names. */
  grant(places: readonly FilePlace[]): Promise<FileGrant[]>;
  /** Files that the system asked the program to open: kept until a window takes them. */
  offer(places: readonly FilePlace[]): Promise<void>;
  takeOffered(): FileGrant[];
  open(grantId: string, signal: AbortSignal): Promise<Result<OpenedFile, AppFault>>;
  /** The file of a grant, for somebody else to open and to drop; null where there is no such grant any more. */
  take(grantId: string): GrantedFile | null;
  /** Opens a table of text again, with columns that the user chose; they are kept for other files with its header. */
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

interface Kept {
  readonly file: OpenedFile;
  readonly identity: string;
  readonly granted: GrantedFile;
}

/** Each holds a file of the system open. */
const MOST_FILES = 50;
const USED_UP = "This file is no longer available. Choose it again.";
const NOT_OPEN = usageFault("This file is no longer open. Open it again.");

export function createOpenFiles(
  events: Events,
  recent: RecentFiles,
  choices: ColumnChoices,
  options: Omit<FileThreadOptions, "onLost"> = {},
): OpenFiles {
  const grants = createGrants();
  const open = new Map<string, Kept>();
  const thread = createFileThread({ onLost: forget, ...options });
  let offered: FileGrant[] = [];

  function forget(fileIds: readonly string[] | null): void {
    for (const id of fileIds ?? [...open.keys()]) {
      const kept = open.get(id);
      if (kept) dropCopy(kept.granted);
      open.delete(id);
    }
    events.emit("filesChanged", null);
  }

  /** What the thread is asked of a file that is open; where that never ends, a sentence that names the file. */
  async function ask<K extends Exclude<QuestionKind, "open">>(
    kind: K,
    fileId: string,
    query: Questions[K]["question"],
    signal: AbortSignal,
  ): Promise<Questions[K]["answer"]> {
    const kept = open.get(fileId);
    if (!kept) return failure(NOT_OPEN);
    try {
      return await thread.ask(kind, fileId, query, signal);
    } catch (thrown) {
      if (thrown instanceof FileHangs) return failure(usageFault(hangs(kept.granted.name, "was closed")));
      // It was changed on the disk before it was opened once more, after another one hung.
      if (!open.has(fileId)) return failure(NOT_OPEN);
      throw thrown;
    }
  }

  async function keep(granted: GrantedFile, signal: AbortSignal): Promise<Result<OpenedFile, AppFault>> {
    const identity = await identityOf(granted);
    const known = [...open.values()].find((kept) => identity !== null && kept.identity === identity);
    if (known) return success(known.file);
    if (open.size >= MOST_FILES)
      return failure(usageFault(`${MOST_FILES} files are open already. Close some that you no longer need.`));
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
    const question = { path, name, columns, remembered: choices.list() };
    const answer = await thread.ask("open", id, question, signal).catch((thrown: unknown) => {
      if (signal.aborted) return null;
      if (thrown instanceof FileHangs)
        return failure({ kind: "unreadable", message: hangs(name, "was not opened"), cause: null } as const);
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
      if (!granted) return failure(usageFault(USED_UP));
      const answer = await keep(granted, signal);
      const isKept = [...open.values()].some((kept) => kept.granted === granted);
      if (!isKept) dropCopy(granted);
      return answer;
    },
    take: grants.take,
    async chooseColumns(fileId, columns, signal) {
      const kept = open.get(fileId);
      if (!kept) return failure(NOT_OPEN);
      const read = await readFile(kept.granted, columns, signal);
      if (!read.ok) return read;
      // Closed, or chosen by another window, while it was read.
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
      if (table?.header) choices.keep(table.header, columns);
      events.emit("filesChanged", null);
      return read;
    },
    list: () => [...open.values()].map(({ file }) => file),
    windows: (fileId, query, signal) => ask("windows", fileId, query, signal),
    page: (fileId, query, signal) => ask("page", fileId, query, signal),
    gridPoints: (fileId, query, signal) => ask("gridPoints", fileId, query, signal),
    rowOrder: (fileId, query, signal) => ask("rowOrder", fileId, query, signal),
    rowsAt: (fileId, query, signal) => ask("rowsAt", fileId, query, signal),
    close(fileId) {
      const kept = open.get(fileId);
      if (!kept) return;
      open.delete(fileId);
      thread.close(fileId);
      dropCopy(kept.granted);
      events.emit("filesChanged", null);
    },
    closeAll() {
      thread.end();
      for (const { granted } of open.values()) dropCopy(granted);
      open.clear();
      grants.clear();
    },
  };
}

function hangs(name: string, outcome: string): string {
  const why = "It may be damaged, or its disk may not answer.";
  return `${name} ${outcome}: reading it did not come to an end. ${why} The other files stay open.`;
}

/** The same for the same content at the same place; null for a copy, which is another one each time, and for a folder. */
async function identityOf({ path, isTemporary }: GrantedFile): Promise<string | null> {
  if (isTemporary) return null;
  const [real, found] = await Promise.all([realpath(path), stat(path)]).catch(() => [null, null]);
  return real && found?.isFile() ? `${real}\n${found.size}\n${found.mtimeMs}` : null;
}
