import { randomUUID } from "node:crypto";
import { realpath, stat } from "node:fs/promises";
import type { FormatError } from "#formats/error.ts";
import type { FilePage } from "#shared/bridge/methods/files.ts";
import { grown } from "#shared/arrays.ts";
import type { ChosenColumns } from "#shared/file/columns.ts";
import type { FileGrant, OpenedFile } from "#shared/file/opened.ts";
import { type AppFault, usageFailure, usageFault } from "#shared/fault.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import type { Events } from "../events.ts";
import type { ColumnChoices } from "./columns.ts";
import { Grants, deleteCopy, type FilePlace, type GrantedFile } from "./grants.ts";
import { fileFault, type FilePageQuery } from "./read.ts";
import type { RecentFiles } from "./recent.ts";
import type { FileRequestKind, FileRequests } from "./guest/protocol.ts";
import { FileReader, type FileReaderOptions, GuestLost, type ReaderQueries } from "./guest/reader.ts";

interface OpenEntry {
  readonly file: OpenedFile;
  readonly identity: string;
  readonly granted: GrantedFile;
}

/** Limited because each uses a file handle. */
const MAX_FILES = 50;
const GRANT_EXPIRED = "This file is no longer available. Choose it again.";
const NOT_OPEN = usageFault("This file is no longer open. Open it again.");

/** Files that the user opened to view beside the cache. */
export class OpenFiles {
  readonly #events: Events;
  readonly recent: RecentFiles;
  readonly #choices: ColumnChoices;
  readonly #grants = new Grants();
  readonly #open = new Map<string, OpenEntry>();
  /** Files that are being opened, by their identity. */
  readonly #opening = new Map<string, Promise<unknown>>();
  readonly #reader;
  #offered: FileGrant[] = [];

  constructor(events: Events, recent: RecentFiles, choices: ColumnChoices, options: Omit<FileReaderOptions, "onLost">) {
    this.#events = events;
    this.recent = recent;
    this.#choices = choices;
    this.#reader = new FileReader({ onLost: (fileId) => this.#forget(fileId), ...options });
  }

  /** Lets a page open files that a shell names. */
  grant(places: readonly FilePlace[]): Promise<FileGrant[]> {
    return this.#grants.add(places);
  }

  /** Adds files that the system asked the program to open; they wait until a window takes them. */
  async offer(places: readonly FilePlace[]): Promise<void> {
    const added = await this.#grants.add(places);
    if (added.length === 0) return;
    this.#offered.push(...added);
    this.#events.emit("filesOffered", null);
  }

  takeOffered(): FileGrant[] {
    const taken = this.#offered;
    this.#offered = [];
    return taken;
  }

  async open(grantId: string, signal: AbortSignal): Promise<Result<OpenedFile, AppFault>> {
    const granted = this.#grants.take(grantId);
    if (!granted) return usageFailure(GRANT_EXPIRED);
    const answer = await this.#openOnce(granted, signal);
    const isKept = [...this.#open.values()].some((kept) => kept.granted === granted);
    if (!isKept) deleteCopy(granted);
    return answer;
  }

  /** Takes the file of a grant, for the caller to read and delete; null if the grant no longer exists. */
  take(grantId: string): GrantedFile | null {
    return this.#grants.take(grantId);
  }

  /** Reopens a text table with columns that the user chose, and saves them for other files with its header. */
  async chooseColumns(
    fileId: string,
    columns: ChosenColumns,
    signal: AbortSignal,
  ): Promise<Result<OpenedFile, AppFault>> {
    const kept = this.#open.get(fileId);
    if (!kept) return failure(NOT_OPEN);
    const { remembered, save } = this.#choices.answering();
    const choice = { columns, columnsOf: kept.file.table?.header ?? "", remembered };
    const read = await this.#readFile(kept.granted, choice, signal);
    if (!read.ok) return read;
    // Another window may have closed or changed the file.
    if (this.#open.get(fileId) !== kept) {
      this.#reader.close(read.value.id);
      return failure(NOT_OPEN);
    }
    const all = [...this.#open];
    this.#open.clear();
    for (const [id, each] of all)
      if (each === kept) this.#open.set(read.value.id, { ...kept, file: read.value });
      else this.#open.set(id, each);
    this.#reader.close(fileId);
    // The result may ask about the columns of another file in it.
    save();
    this.#events.emit("filesChanged", null);
    return read;
  }

  list(): OpenedFile[] {
    return [...this.#open.values()].map(({ file }) => file);
  }

  page(fileId: string, query: FilePageQuery, signal: AbortSignal): Promise<Result<FilePage, AppFault>> {
    return pages(query, (part) => this.request("page", fileId, part, signal));
  }

  /** Sends a request about an open file to the reader; see `page` for pages. If that hangs, the fault names the file. */
  async request<K extends Exclude<FileRequestKind, "open">>(
    kind: K,
    fileId: string,
    query: ReaderQueries[K],
    signal: AbortSignal,
  ): Promise<FileRequests[K]["result"]> {
    const kept = this.#open.get(fileId);
    if (!kept) return failure(NOT_OPEN);
    try {
      return await this.#reader.request(kind, fileId, query, signal);
    } catch (thrown) {
      if (thrown instanceof GuestLost) return usageFailure(lostSentence(`${kept.granted.name} was closed`, thrown));
      // After another file ended the reader, this one was found changed on disk and was closed.
      if (!this.#open.has(fileId)) return failure(NOT_OPEN);
      throw thrown;
    }
  }

  close(fileId: string): void {
    const kept = this.#open.get(fileId);
    if (!kept) return;
    this.#open.delete(fileId);
    this.#reader.close(fileId);
    deleteCopy(kept.granted);
    this.#events.emit("filesChanged", null);
  }

  closeAll(): void {
    this.#reader.end();
    for (const { granted } of this.#open.values()) deleteCopy(granted);
    this.#open.clear();
    this.#grants.clear();
  }

  #forget(fileId: string): void {
    const kept = this.#open.get(fileId);
    if (kept) deleteCopy(kept.granted);
    this.#open.delete(fileId);
    this.#events.emit("filesChanged", null);
  }

  async #openOnce(granted: GrantedFile, signal: AbortSignal): Promise<Result<OpenedFile, AppFault>> {
    const identity = (await identityOf(granted)) ?? granted.grantId;
    // Another window may be opening it.
    while (this.#opening.has(identity)) await this.#opening.get(identity);
    const known = [...this.#open.values()].find((kept) => kept.identity === identity);
    if (known) return success(known.file);
    if (this.#open.size >= MAX_FILES)
      return usageFailure(
        `${granted.name} was not opened: ${MAX_FILES} files are open, the most at a time. Close some of them.`,
      );
    const opening = this.#openNew(granted, identity, signal).finally(() => this.#opening.delete(identity));
    this.#opening.set(
      identity,
      opening.catch(() => null),
    );
    return opening;
  }

  async #openNew(granted: GrantedFile, identity: string, signal: AbortSignal): Promise<Result<OpenedFile, AppFault>> {
    const read = await this.#readFile(granted, { remembered: this.#choices.answering().remembered }, signal);
    if (!read.ok) return read;
    this.#open.set(read.value.id, { file: read.value, granted, identity });
    if (!granted.isTemporary) this.recent.note(granted.path);
    this.#events.emit("filesChanged", null);
    return read;
  }

  async #readFile(
    granted: GrantedFile,
    choice: Pick<ReaderQueries["open"], "columns" | "columnsOf" | "remembered">,
    signal: AbortSignal,
  ): Promise<Result<OpenedFile, AppFault>> {
    const { path, name, bytes } = granted;
    const id = randomUUID();
    const query = { path, name, ...choice };
    const answer = await this.#reader.request("open", id, query, signal).catch((thrown: unknown) => {
      if (signal.aborted) return null;
      if (thrown instanceof GuestLost) {
        const message = lostSentence(`${name} was not opened`, thrown);
        return failure<FormatError>({ kind: "unreadable", message, cause: null });
      }
      throw thrown;
    });
    if (answer === null) return failure({ kind: "cancelled", message: `Opening ${name} was stopped.`, cause: null });
    if (!answer.ok) {
      const { asked, message } = answer.error;
      // The same question again is a fault of the answer.
      if (!asked || asked.table.header === choice.columnsOf) return failure(fileFault(answer.error, granted));
      const notes = [`${message} Choose what the columns contain.`];
      return success({ id, name, bytes, title: null, source: null, series: [], notes, ...asked });
    }
    const { unreadFiles: _, ...contents } = answer.value;
    return success({ id, name, bytes, ...contents });
  }
}

/** Rows of a message from the reader. */
const PAGE_ROWS = 500_000;

/** Reads a page in parts, because a message takes its size several times in the memory of the reader. */
export async function pages(
  query: FilePageQuery,
  read: (part: FilePageQuery) => Promise<Result<FilePage, AppFault>>,
): Promise<Result<FilePage, AppFault>> {
  const first = await read({ ...query, limit: Math.min(query.limit, PAGE_ROWS) });
  if (!first.ok) return first;
  const rows = Math.max(0, Math.min(query.limit, first.value.total - query.offset));
  const { timesMs, columns } = first.value;
  if (timesMs.length >= rows) return first;
  const whole = { timesMs: grown(timesMs, rows), columns: columns.map((column) => grown(column, rows)) };
  for (let at = timesMs.length; at < rows; at += PAGE_ROWS) {
    const part = await read({ ...query, offset: query.offset + at, limit: Math.min(PAGE_ROWS, rows - at) });
    if (!part.ok) return part;
    whole.timesMs.set(part.value.timesMs, at);
    for (const [n, column] of part.value.columns.entries()) whole.columns[n]?.set(column, at);
  }
  return success({ ...first.value, ...whole });
}

function lostSentence(outcome: string, { message }: GuestLost): string {
  return `${outcome}: ${message}. The other files stay open.`;
}

/** Identifies the same content at the same path; null for temporary copies and folders. */
async function identityOf({ path, isTemporary }: GrantedFile): Promise<string | null> {
  if (isTemporary) return null;
  const [real, found] = await Promise.all([realpath(path), stat(path)]).catch(() => [null, null]);
  return real && found?.isFile() ? `${real}\n${found.size}\n${found.mtimeMs}` : null;
}
