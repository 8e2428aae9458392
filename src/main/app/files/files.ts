import { randomUUID } from "node:crypto";
import { realpath, stat } from "node:fs/promises";
import type { FileGrant, OpenedFile } from "#shared/file/opened.ts";
import { type AppFault, usageFault } from "#shared/fault.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import { createColumnCache, openSeriesFile, type SeriesFile } from "#formats/open/index.ts";
import type { Events } from "../events.ts";
import { createGrants, dropCopy, type FilePlace, type GrantedFile } from "./grants.ts";
import { fileFault } from "./fault.ts";

/** Files that are looked at beside the cache. */
export interface OpenFiles {
  /** Leave for a page to open what a shell names. */
  grant(places: readonly FilePlace[]): Promise<FileGrant[]>;
  /** Files that the system asked the program to open: kept until a window takes them. */
  offer(places: readonly FilePlace[]): Promise<void>;
  takeOffered(): FileGrant[];
  open(grantId: string, signal: AbortSignal): Promise<Result<OpenedFile, AppFault>>;
  /** The file of a grant, for somebody else to open and to drop; null where there is no such grant any more. */
  take(grantId: string): GrantedFile | null;
  list(): OpenedFile[];
  /** The open file and what it is read by. */
  find(fileId: string): Result<OpenEntry, AppFault>;
  close(fileId: string): void;
  closeAll(): void;
}

export interface OpenEntry {
  readonly file: OpenedFile;
  readonly content: SeriesFile;
}

interface Kept extends OpenEntry {
  readonly identity: string;
  readonly granted: GrantedFile;
}

/** Each holds a file of the system open. */
const MOST_FILES = 50;
/** Decoded columns of all files together. */
const MOST_COLUMN_BYTES = 256 * 1024 * 1024;
const USED_UP = "This file was opened or put aside already: choose it once more.";

export function createOpenFiles(events: Events): OpenFiles {
  const grants = createGrants();
  const open = new Map<string, Kept>();
  const cache = createColumnCache(MOST_COLUMN_BYTES);
  let offered: FileGrant[] = [];

  function closeEntry({ content, granted }: Kept): void {
    content.close();
    dropCopy(granted);
  }

  async function keep(granted: GrantedFile, signal: AbortSignal): Promise<Result<OpenedFile, AppFault>> {
    const identity = await identityOf(granted);
    const known = [...open.values()].find((kept) => identity !== null && kept.identity === identity);
    if (known) return success(known.file);
    if (open.size >= MOST_FILES)
      return failure(usageFault(`${MOST_FILES} files are open already: close some that are not needed any more.`));
    const answer = await openSeriesFile(granted.path, { signal, cache });
    if (!answer.ok) return failure(fileFault(answer.error, granted));
    const content = answer.value;
    if (signal.aborted) {
      content.close();
      return failure({ kind: "cancelled", message: `Opening ${granted.name} was stopped.`, cause: null });
    }
    const { format, title, source, notes, series } = content;
    const file: OpenedFile = {
      id: randomUUID(),
      name: granted.name,
      format,
      bytes: granted.bytes,
      title,
      source,
      notes,
      series,
    };
    open.set(file.id, { file, content, granted, identity: identity ?? file.id });
    events.emit("filesChanged", null);
    return success(file);
  }

  return {
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
    list: () => [...open.values()].map(({ file }) => file),
    find(fileId) {
      const kept = open.get(fileId);
      return kept ? success(kept) : failure(usageFault("This file is not open any more: open it again."));
    },
    close(fileId) {
      const kept = open.get(fileId);
      if (!kept) return;
      open.delete(fileId);
      closeEntry(kept);
      events.emit("filesChanged", null);
    },
    closeAll() {
      for (const kept of open.values()) closeEntry(kept);
      open.clear();
      grants.clear();
    },
  };
}

/** The same for the same content at the same place; null for a copy, which is another one each time. */
async function identityOf({ path, isTemporary }: GrantedFile): Promise<string | null> {
  if (isTemporary) return null;
  const [real, found] = await Promise.all([realpath(path), stat(path)]).catch(() => [null, null]);
  return real && found ? `${real}\n${found.size}\n${found.mtimeMs}` : null;
}
