import { Worker } from "node:worker_threads";
import {
  createHeartbeat,
  currentRequest,
  type FileRequestKind,
  type FileRequests,
  type Heartbeat,
  type ThreadMessage,
  type ThreadResponse,
  watchHeartbeat,
} from "./messages.ts";

/** The thread's script: the source file beside this one, or the bundle that electron-vite builds from it. */
const WORKER = new URL(import.meta.url.endsWith(".ts") ? "./worker.ts" : "./files-worker.js", import.meta.url);
/** Longer than decoding the largest series takes on a slow and busy computer. */
const HANG_MS = 60_000;

/** Reads files in a thread, which runs while a file is open. */
interface FileThread {
  /**
   * @throws the signal's reason as soon as it is aborted, `FileHangError` if the thread was terminated because of this
   *   file, and another Error if the thread ended by itself
   */
  request<K extends FileRequestKind>(
    kind: K,
    fileId: string,
    query: FileRequests[K]["query"],
    signal: AbortSignal,
  ): Promise<FileRequests[K]["result"]>;
  close(fileId: string): void;
  /** Closes all files. Pending and later requests fail with an `AbortError`. */
  end(): void;
}

/** Reading a file did not finish, so it was closed. */
export class FileHangError extends Error {}

export interface FileThreadOptions {
  /** Called when files were closed; null: all of them, because the thread ended by itself. */
  readonly onLost: (fileIds: readonly string[] | null) => void;
  readonly worker?: URL;
  readonly hangMs?: number;
}

interface PendingRequest {
  readonly message: Extract<ThreadMessage, { readonly query: unknown }>;
  readonly result: PromiseWithResolvers<FileRequests[FileRequestKind]["result"]>;
}

/** A file that is open in the thread, to be reopened in the next thread. */
interface OpenedFile {
  readonly query: FileRequests["open"]["query"];
  readonly contents: string;
}

interface Running {
  readonly worker: Worker;
  readonly endWatch: () => void;
}

export function createFileThread({ onLost, worker: source = WORKER, hangMs = HANG_MS }: FileThreadOptions): FileThread {
  const pending = new Map<number, PendingRequest>();
  const opened = new Map<string, OpenedFile>();
  /** Requests for these files wait until they are known to be unchanged. */
  const reopening = new Map<string, Promise<void>>();
  const closing = new AbortController();
  let running: Running | null = null;
  let nextId = 0;

  function start(): Running {
    const heartbeat = createHeartbeat();
    const worker = new Worker(source, { workerData: { heartbeat } });
    worker.on("message", ({ id, ...response }: ThreadResponse) => {
      const request = pending.get(id);
      pending.delete(id);
      if (response.kind === "result") request?.result.resolve(response.result);
      else request?.result.reject(new Error(response.message));
    });
    const lose = (reason: Error): void => {
      if (running?.worker !== worker) return;
      stop(reason);
      opened.clear();
      onLost(null);
    };
    worker.on("error", (thrown) => lose(thrown instanceof Error ? thrown : new Error(String(thrown))));
    worker.on("exit", (code) => lose(new Error(`The thread that reads files ended with ${code}.`)));
    // Open files must not keep the program running.
    worker.unref();
    return { worker, endWatch: watchHeartbeat(heartbeat, hangMs, () => restart(heartbeat)) };
  }

  function stop(reason: Error): void {
    terminate();
    for (const { result } of pending.values()) result.reject(reason);
    pending.clear();
  }

  /** Does not wait for the end of the thread, which may hang in a system call. */
  function terminate(): void {
    running?.endWatch();
    void running?.worker.terminate();
    running = null;
  }

  /** Terminates a thread that hangs. Reopens its other files in the next thread and repeats their requests. */
  function restart(heartbeat: Heartbeat): void {
    const requests = [...pending.values()];
    const hanging = pending.get(currentRequest(heartbeat) ?? -1) ?? requests.find(isOpening) ?? requests[0];
    if (!hanging) return;
    const { fileId } = hanging.message;
    const others = requests.filter(({ message }) => message.fileId !== fileId);
    const lost = requests.filter(({ message }) => message.fileId === fileId);
    terminate();
    pending.clear();
    for (const { result } of lost) result.reject(new FileHangError("reading this file did not finish"));
    if (opened.delete(fileId)) onLost([fileId]);
    for (const [id, file] of opened) reopening.set(id, openAgain(id, file));
    for (const request of others) void sendAgain(request);
  }

  async function openAgain(fileId: string, { query, contents }: OpenedFile): Promise<void> {
    const result = Promise.withResolvers<FileRequests[FileRequestKind]["result"]>();
    sendRequest({ message: { kind: "open", id: nextId++, fileId, query }, result });
    const again = await result.promise.catch(() => null);
    reopening.delete(fileId);
    // Callers rely on the contents as they were described at first.
    if (again?.ok && opened.has(fileId) && JSON.stringify(again.value) === contents) return;
    if (opened.delete(fileId)) onLost([fileId]);
    send({ kind: "close", fileId });
  }

  async function sendAgain(request: PendingRequest): Promise<void> {
    const { fileId, kind } = request.message;
    await reopening.get(fileId);
    if (kind === "open" || opened.has(fileId)) sendRequest(request);
    else request.result.reject(new Error("the file is no longer open"));
  }

  function sendRequest(request: PendingRequest): void {
    pending.set(request.message.id, request);
    send(request.message);
  }

  const send = (message: ThreadMessage): void => (running ??= start()).worker.postMessage(message);

  return {
    async request(kind, fileId, query, signal) {
      await reopening.get(fileId);
      signal.throwIfAborted();
      closing.signal.throwIfAborted();
      const id = nextId++;
      const result = Promise.withResolvers<FileRequests[FileRequestKind]["result"]>();
      const cancel = (): void => {
        pending.delete(id);
        send({ kind: "stop", id });
        result.reject(signal.reason);
      };
      signal.addEventListener("abort", cancel);
      try {
        sendRequest({ message: { kind, id, fileId, query } as PendingRequest["message"], result });
        const settled = (await result.promise) as FileRequests[typeof kind]["result"];
        if (kind === "open" && settled.ok)
          opened.set(fileId, {
            query: query as FileRequests["open"]["query"],
            contents: JSON.stringify(settled.value),
          });
        return settled;
      } finally {
        signal.removeEventListener("abort", cancel);
      }
    },
    close(fileId) {
      opened.delete(fileId);
      running?.worker.postMessage({ kind: "close", fileId } satisfies ThreadMessage);
    },
    end() {
      const reason = new DOMException("The files were closed.", "AbortError");
      closing.abort(reason);
      stop(reason);
      opened.clear();
    },
  };
}

function isOpening({ message }: PendingRequest): boolean {
  return message.kind === "open";
}
