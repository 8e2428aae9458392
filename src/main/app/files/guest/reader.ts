import { type FormatError, openingError } from "#formats/error.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import type { KeptColumns, Remember } from "#shared/file/columns.ts";
import { log } from "../../../log/index.ts";
import { GuestFiles } from "./host.ts";
import {
  type EndReason,
  type FileRequestKind,
  type FileRequests,
  type FromGuest,
  type GuestRequest,
  type GuestSource,
  MAX_MEMORY_MB,
} from "./protocol.ts";
import { type GuestProcess, startGuest, type StartGuest } from "./start.ts";

/** A request as its caller states it: a file to open is named by its path. */
export interface ReaderQueries extends Omit<{ [K in FileRequestKind]: FileRequests[K]["query"] }, "open"> {
  readonly open: Omit<FileRequests["open"]["query"], "source"> & {
    readonly path: string;
    readonly name: string;
    readonly remembered?: Remember;
  };
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
  /** Called when a file was closed. */
  readonly onLost: (fileId: string) => void;
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

/** Reads files of others in a guest: a process of its own, which runs while a file is open. */
export class FileReader {
  readonly #onLost: FileReaderOptions["onLost"];
  readonly #scratchFolder: FileReaderOptions["scratchFolder"];
  readonly #start;
  readonly #pending = new Map<number, PendingRequest>();
  readonly #opened = new Map<string, OpenedFile>();
  readonly #queries = new Map<string, ReaderQueries["open"]>();
  /** Requests for these files wait until they are known to be unchanged. */
  readonly #reopening = new Map<string, Promise<void>>();
  readonly #closing = new AbortController();
  #running: Running | null = null;
  #nextId = 0;

  constructor({ onLost, scratchFolder, start = startGuest }: FileReaderOptions) {
    this.#onLost = onLost;
    this.#scratchFolder = scratchFolder;
    this.#start = start;
  }

  /**
   * @throws the signal's reason as soon as it is aborted, `GuestLost` if the guest ended because of this file, and
   *   another Error if it failed unexpectedly
   */
  async request<K extends FileRequestKind>(
    kind: K,
    fileId: string,
    query: ReaderQueries[K],
    signal: AbortSignal,
  ): Promise<FileRequests[K]["result"]> {
    await this.#reopening.get(fileId);
    signal.throwIfAborted();
    this.#closing.signal.throwIfAborted();
    if (kind === "open") this.#queries.set(fileId, query as ReaderQueries["open"]);
    try {
      const settled = await this.#send({ kind, fileId, query }, signal);
      if (kind === "open" && settled.ok)
        this.#opened.set(fileId, { query: query as ReaderQueries["open"], contents: JSON.stringify(settled.value) });
      return settled;
    } finally {
      if (!this.#opened.has(fileId)) {
        this.#queries.delete(fileId);
        this.#endWhenIdle();
      }
    }
  }

  close(fileId: string): void {
    this.#opened.delete(fileId);
    this.#queries.delete(fileId);
    this.#running?.guest.post({ kind: "close", fileId });
    this.#endWhenIdle();
  }

  /** Closes all files. Pending and later requests fail with an `AbortError`. */
  end(): void {
    const reason = new DOMException("The files were closed.", "AbortError");
    this.#closing.abort(reason);
    this.#terminate();
    for (const { result } of this.#pending.values()) result.reject(reason);
    this.#pending.clear();
    this.#opened.clear();
  }

  #endWhenIdle(): void {
    setTimeout(() => this.#opened.size === 0 && this.#pending.size === 0 && this.#terminate(), IDLE_MS).unref();
  }

  #begin(): Running {
    const files = new GuestFiles(this.#scratchFolder, (header, now) => this.#remember(header, now));
    const guest = this.#start({
      message: (message) => void this.#receive(begun, message),
      gone: (cause) => this.#lose(begun, "crash", null, cause),
    });
    const begun = { guest, files };
    return begun;
  }

  /** The guest opens one file at a time. */
  #remember(header: string, now: KeptColumns | null): ReturnType<Remember> {
    const [first] = [...this.#pending.values()].filter(({ message }) => message.kind === "open");
    return this.#queries.get(first?.message.fileId ?? "")?.remembered?.(header, now) ?? null;
  }

  async #receive(from: Running, message: FromGuest): Promise<void> {
    if (message.kind === "call") return from.guest.post(await from.files.answer(message));
    if (message.kind === "end") return this.#lose(from, message.reason, message.id, message.cause);
    const request = this.#pending.get(message.id);
    this.#settle(message.id);
    if (message.kind === "result") request?.result.resolve(message.result);
    else request?.result.reject(new Error(message.message));
  }

  #settle(id: number): void {
    this.#pending.delete(id);
    if (this.#pending.size === 0) this.#running?.guest.setWaited(false);
  }

  #terminate(): void {
    const ended = this.#running;
    this.#running = null;
    ended?.guest.kill();
    ended?.files.close();
  }

  /** Ends a guest. Opens its other files again in the next one and repeats their requests. */
  #lose(from: Running, reason: EndReason, requestId: number | null, cause: string): void {
    if (this.#running !== from) return;
    const requests = [...this.#pending.values()];
    const failed = this.#pending.get(requestId ?? -1) ?? requests.find(({ isRepeated }) => isRepeated);
    this.#terminate();
    this.#pending.clear();
    log.warn(`the process that reads files was ended (${reason}): ${cause}`);
    const fileId = failed?.message.fileId;
    const isStopped = reason === "cancelled";
    const isFailed = (request: PendingRequest): boolean =>
      isStopped ? request === failed : request.message.fileId === fileId;
    for (const { result } of requests.filter(isFailed)) result.reject(new GuestLost(reason));
    if (fileId !== undefined && !isStopped && this.#opened.delete(fileId)) this.#onLost(fileId);
    for (const [id, file] of this.#opened) this.#reopening.set(id, this.#openAgain(id, file));
    for (const request of requests.filter((each) => !isFailed(each)))
      void this.#sendAgain({ ...request, isRepeated: requestId === null });
  }

  async #openAgain(fileId: string, { query, contents }: OpenedFile): Promise<void> {
    const again = await this.#send({ kind: "open", fileId, query }, this.#closing.signal).catch(() => null);
    this.#reopening.delete(fileId);
    // Callers rely on the contents as they were described at first.
    if (again?.ok && this.#opened.has(fileId) && JSON.stringify(again.value) === contents) return;
    if (this.#opened.delete(fileId)) this.#onLost(fileId);
    this.#running?.guest.post({ kind: "close", fileId });
  }

  async #sendAgain(request: PendingRequest): Promise<void> {
    const { fileId, kind } = request.message;
    await this.#reopening.get(fileId);
    const query = this.#queries.get(fileId);
    try {
      if (kind === "open" && query)
        request.result.resolve(
          await this.#send({ kind, fileId, query, isRepeated: request.isRepeated }, this.#closing.signal),
        );
      else if (this.#opened.has(fileId)) this.#sendMessage(request);
      else throw new Error("the file is no longer open");
    } catch (thrown) {
      request.result.reject(thrown);
    }
  }

  #sendMessage(request: PendingRequest): void {
    this.#running ??= this.#begin();
    this.#pending.set(request.message.id, request);
    this.#running.guest.setWaited(true);
    this.#running.guest.post(request.message);
  }

  async #send<K extends FileRequestKind>(
    { kind, fileId, query, isRepeated = false }: ReaderRequest<K>,
    signal: AbortSignal,
  ): Promise<FileRequests[K]["result"]> {
    const id = this.#nextId++;
    const result = Promise.withResolvers<FileRequests[FileRequestKind]["result"]>();
    // It may be stopped before somebody waits for it.
    result.promise.catch(() => {});
    const cancel = (): void => {
      result.reject(signal.reason);
      if (!this.#pending.has(id)) return;
      const from = (this.#running ??= this.#begin());
      from.guest.post({ kind: "stop", id });
      // A library that does not look at the signal.
      setTimeout(() => this.#pending.has(id) && this.#lose(from, "cancelled", id, "it did not stop"), STOP_MS).unref();
    };
    signal.addEventListener("abort", cancel, { once: true });
    try {
      let sent: Result<unknown, FormatError>;
      for (;;) {
        const by = (this.#running ??= this.#begin());
        sent = kind === "open" ? await granted(by.files, query as ReaderQueries["open"]) : success(query);
        if (by === this.#running) break;
        // Another guest began while the file was opened for the first one, whose other files are closed.
        by.files.close();
      }
      if (!sent.ok) return sent;
      if (signal.aborted && kind === "open")
        this.#running.files.release((sent.value as { source: GuestSource }).source);
      signal.throwIfAborted();
      this.#sendMessage({ message: { kind, id, fileId, query: sent.value } as GuestRequest, result, isRepeated });
      return await result.promise;
    } finally {
      signal.removeEventListener("abort", cancel);
    }
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
