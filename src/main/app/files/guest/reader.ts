import { openingError } from "#formats/open/index.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import type { FormatError } from "#formats/error.ts";
import type { ChosenColumns } from "#shared/file/columns.ts";
import { log } from "../../../log/index.ts";
import { createGuestFiles, type GuestFiles } from "./host.ts";
import {
  type EndReason,
  type FileRequestKind,
  type FileRequests,
  type FromGuest,
  type GuestRequest,
  MAX_MEMORY_MB,
} from "./protocol.ts";
import { type GuestProcess, startGuest, type StartGuest } from "./start.ts";

/** A request as its caller states it: a file to open is named by its path. */
export interface ReaderQueries extends Omit<{ [K in FileRequestKind]: FileRequests[K]["query"] }, "open"> {
  readonly open: Omit<FileRequests["open"]["query"], "source"> & {
    readonly path: string;
    readonly name: string;
    /** Returns the user's earlier choice for a table with this header. */
    readonly remembered?: (header: string) => ChosenColumns | null | Promise<ChosenColumns | null>;
  };
}

/** Reads files of others in a guest: a process of its own, which runs while a file is open. */
export interface FileReader {
  /**
   * @throws the signal's reason as soon as it is aborted, `GuestLost` if the guest ended because of this file, and
   *   another Error if it failed unexpectedly
   */
  request<K extends FileRequestKind>(
    kind: K,
    fileId: string,
    query: ReaderQueries[K],
    signal: AbortSignal,
  ): Promise<FileRequests[K]["result"]>;
  close(fileId: string): void;
  /** Closes all files. Pending and later requests fail with an `AbortError`. */
  end(): void;
}

const WHY: Readonly<Record<EndReason, string>> = {
  stuck: "reading it did not finish. It may be damaged, or its disk may not answer",
  memory: `reading it takes more than ${MAX_MEMORY_MB} MB of memory. Convert it to NetCDF, or split it`,
  crash: "it ended the process that reads files. It is probably damaged: download or copy it again",
  cancelled: "it was stopped",
};

/** Reading a file ended the guest, so it was closed. The message is the end of a sentence that begins with its name. */
export class GuestLost extends Error {
  constructor(reason: EndReason) {
    super(WHY[reason]);
  }
}

export interface FileReaderOptions {
  /** Called when files were closed. */
  readonly onLost: (fileIds: readonly string[]) => void;
  /** Returns the folder for temporary data. */
  readonly scratchFolder: () => string;
  readonly start?: StartGuest;
}

interface ReaderRequest<K extends FileRequestKind> {
  readonly kind: K;
  readonly fileId: string;
  readonly query: ReaderQueries[K];
  readonly isRepeated?: boolean;
}

interface PendingRequest {
  readonly message: GuestRequest;
  readonly result: PromiseWithResolvers<FileRequests[FileRequestKind]["result"]>;
  /** Whether a guest ended before without saying which request was the cause. */
  readonly isRepeated: boolean;
}

/** A file that is open in the guest, to be opened again in the next one. */
interface OpenedFile {
  readonly query: ReaderQueries["open"];
  readonly contents: string;
}

interface Running {
  readonly guest: GuestProcess;
  readonly files: GuestFiles;
}

/** How long a stopped request may go on before the guest is ended. */
const STOP_MS = 2_000;

/** How long a guest without open files waits for the next one. */
const IDLE_MS = 5_000;

export function createFileReader({ onLost, scratchFolder, start = startGuest }: FileReaderOptions): FileReader {
  const pending = new Map<number, PendingRequest>();
  const opened = new Map<string, OpenedFile>();
  const queries = new Map<string, ReaderQueries["open"]>();
  /** Requests for these files wait until they are known to be unchanged. */
  const reopening = new Map<string, Promise<void>>();
  const closing = new AbortController();
  let running: Running | null = null;
  let nextId = 0;

  function begin(): Running {
    const files = createGuestFiles(scratchFolder, (header) => rememberedOf(header));
    const guest = start({
      message: (message) => void receive(begun, message),
      gone: (cause) => lose(begun, "crash", null, cause),
    });
    const begun = { guest, files };
    return begun;
  }

  /** The guest opens one file at a time. */
  function rememberedOf(header: string): ChosenColumns | null | Promise<ChosenColumns | null> {
    const [first] = [...pending.values()].filter(({ message }) => message.kind === "open");
    return queries.get(first?.message.fileId ?? "")?.remembered?.(header) ?? null;
  }

  async function receive(from: Running, message: FromGuest): Promise<void> {
    if (message.kind === "call") return from.guest.post(await from.files.answer(message));
    if (message.kind === "end") return lose(from, message.reason, message.id, message.cause);
    const request = pending.get(message.id);
    settle(message.id);
    if (message.kind === "result") request?.result.resolve(message.result);
    else request?.result.reject(new Error(message.message));
  }

  function settle(id: number): void {
    pending.delete(id);
    if (pending.size === 0) running?.guest.setWaited(false);
  }

  function terminate(): void {
    const ended = running;
    running = null;
    ended?.guest.kill();
    ended?.files.close();
  }

  /** Ends a guest. Opens its other files again in the next one and repeats their requests. */
  function lose(from: Running, reason: EndReason, requestId: number | null, cause: string): void {
    if (running !== from) return;
    const requests = [...pending.values()];
    const failed = pending.get(requestId ?? -1) ?? requests.find(({ isRepeated }) => isRepeated);
    terminate();
    pending.clear();
    log.warn(`the process that reads files was ended (${reason}): ${cause}`);
    const fileId = failed?.message.fileId;
    const isStopped = reason === "cancelled";
    const isFailed = (request: PendingRequest): boolean =>
      isStopped ? request === failed : request.message.fileId === fileId;
    for (const { result } of requests.filter(isFailed)) result.reject(new GuestLost(reason));
    if (fileId !== undefined && !isStopped && opened.delete(fileId)) onLost([fileId]);
    for (const [id, file] of opened) reopening.set(id, openAgain(id, file));
    for (const request of requests.filter((each) => !isFailed(each)))
      void sendAgain({ ...request, isRepeated: requestId === null });
  }

  async function openAgain(fileId: string, { query, contents }: OpenedFile): Promise<void> {
    const again = await send({ kind: "open", fileId, query }, closing.signal).catch(() => null);
    reopening.delete(fileId);
    // Callers rely on the contents as they were described at first.
    if (again?.ok && opened.has(fileId) && JSON.stringify(again.value) === contents) return;
    if (opened.delete(fileId)) onLost([fileId]);
    running?.guest.post({ kind: "close", fileId });
  }

  async function sendAgain(request: PendingRequest): Promise<void> {
    const { fileId, kind } = request.message;
    await reopening.get(fileId);
    const query = queries.get(fileId);
    try {
      if (kind === "open" && query)
        request.result.resolve(await send({ kind, fileId, query, isRepeated: request.isRepeated }, closing.signal));
      else if (opened.has(fileId)) sendMessage(request);
      else throw new Error("the file is no longer open");
    } catch (thrown) {
      request.result.reject(thrown);
    }
  }

  function sendMessage(request: PendingRequest): void {
    running ??= begin();
    pending.set(request.message.id, request);
    running.guest.setWaited(true);
    running.guest.post(request.message);
  }

  async function send<K extends FileRequestKind>(
    { kind, fileId, query, isRepeated = false }: ReaderRequest<K>,
    signal: AbortSignal,
  ): Promise<FileRequests[K]["result"]> {
    const id = nextId++;
    const result = Promise.withResolvers<FileRequests[FileRequestKind]["result"]>();
    // It may be stopped before somebody waits for it.
    result.promise.catch(() => {});
    const cancel = (): void => {
      result.reject(signal.reason);
      if (!pending.has(id)) return;
      const from = (running ??= begin());
      from.guest.post({ kind: "stop", id });
      // A library that does not look at the signal.
      setTimeout(() => pending.has(id) && lose(from, "cancelled", id, "it did not stop"), STOP_MS).unref();
    };
    signal.addEventListener("abort", cancel, { once: true });
    try {
      let sent: Result<unknown, FormatError>;
      for (;;) {
        const by = (running ??= begin());
        sent = kind === "open" ? await granted(by.files, query as ReaderQueries["open"]) : success(query);
        if (by === running) break;
        // Another guest began while the file was opened for the first one, whose other files are closed.
        by.files.close();
      }
      if (!sent.ok) return sent;
      signal.throwIfAborted();
      sendMessage({ message: { kind, id, fileId, query: sent.value } as GuestRequest, result, isRepeated });
      return await result.promise;
    } finally {
      signal.removeEventListener("abort", cancel);
    }
  }

  /** Opens the file for the guest. */
  async function granted(files: GuestFiles, query: ReaderQueries["open"]) {
    const { path, name, remembered: _, ...options } = query;
    try {
      return success({ source: await files.add(path, name), ...options });
    } catch (thrown) {
      return failure(openingError(thrown, path));
    }
  }

  return {
    async request(kind, fileId, query, signal) {
      await reopening.get(fileId);
      signal.throwIfAborted();
      closing.signal.throwIfAborted();
      if (kind === "open") queries.set(fileId, query as ReaderQueries["open"]);
      const settled = await send({ kind, fileId, query }, signal);
      if (kind === "open" && settled.ok)
        opened.set(fileId, { query: query as ReaderQueries["open"], contents: JSON.stringify(settled.value) });
      return settled;
    },
    close(fileId) {
      opened.delete(fileId);
      queries.delete(fileId);
      running?.guest.post({ kind: "close", fileId });
      setTimeout(() => opened.size === 0 && pending.size === 0 && terminate(), IDLE_MS).unref();
    },
    end() {
      const reason = new DOMException("The files were closed.", "AbortError");
      closing.abort(reason);
      terminate();
      for (const { result } of pending.values()) result.reject(reason);
      pending.clear();
      opened.clear();
    },
  };
}
