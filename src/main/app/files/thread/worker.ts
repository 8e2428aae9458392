import { parentPort, workerData } from "node:worker_threads";
import { defined } from "#shared/defined.ts";
import { createColumnCache } from "#formats/open/index.ts";
import { createPace, type Pace } from "../../pacing.ts";
import { openAnyFile } from "../openAny.ts";
import { readFilePage, readFileWindows, readGridPoints, type ReadableFile } from "../read.ts";
import { readFileRowOrder, readFileRowsAt } from "../rowOrder.ts";
import {
  type FileRequestKind,
  type FileRequests,
  type Heartbeat,
  setCurrentRequest,
  startHeartbeat,
  type ThreadMessage,
  type ThreadResponse,
} from "./messages.ts";

// Decoding a large file or series takes seconds, so it runs in a thread.

/** Limit for the decoded columns of all files together. */
const MAX_COLUMN_BYTES = 256 * 1024 * 1024;

const cache = createColumnCache(MAX_COLUMN_BYTES);
/** Promises, so that requests wait while a file is being opened. */
const files = new Map<string, Promise<ReadableFile | null>>();
const stops = new Map<number, AbortController>();
const { heartbeat } = workerData as { readonly heartbeat: Heartbeat };
startHeartbeat(heartbeat);

defined(parentPort).on("message", (message: ThreadMessage) => {
  if (message.kind === "stop") return stops.get(message.id)?.abort();
  if (message.kind === "close") return close(message.fileId);
  const stop = new AbortController();
  stops.set(message.id, stop);
  void handle(message, stop.signal)
    .then(
      (result) => post({ id: message.id, kind: "result", result }),
      (thrown: unknown) => post({ id: message.id, kind: "failed", message: String(thrown) }),
    )
    .finally(() => stops.delete(message.id));
});

async function handle(
  request: Extract<ThreadMessage, { readonly id: number; readonly fileId: string }>,
  signal: AbortSignal,
): Promise<FileRequests[FileRequestKind]["result"]> {
  if (request.kind === "open") return open(request.fileId, request.query, signal);
  const file = await files.get(request.fileId);
  if (!file) throw new Error("no such file");
  setCurrentRequest(heartbeat, request.id);
  try {
    switch (request.kind) {
      case "windows":
        return await readFileWindows(file, request.query, reportingPace(request.id, createPace(signal)));
      case "page":
        return readFilePage(file, request.query);
      case "gridPoints":
        return readGridPoints(file, request.query);
      case "rowOrder":
        return await readFileRowOrder(file, request.query, reportingPace(request.id, createPace(signal)));
      case "rowsAt":
        return readFileRowsAt(file, request.query);
    }
  } finally {
    setCurrentRequest(heartbeat, null);
  }
}

/** Marks the request as inactive while others run. */
function reportingPace(id: number, pace: Pace): Pace {
  return {
    async yieldIfDue() {
      setCurrentRequest(heartbeat, null);
      await pace.yieldIfDue();
      setCurrentRequest(heartbeat, id);
    },
  };
}

async function open(
  fileId: string,
  { path, name, columns, remembered }: FileRequests["open"]["query"],
  signal: AbortSignal,
): Promise<FileRequests["open"]["result"]> {
  const opening = Promise.withResolvers<ReadableFile | null>();
  files.set(fileId, opening.promise);
  const opened = await openAnyFile(path, {
    name,
    signal,
    cache,
    mayBeUndecided: true,
    remembered: (header) => Promise.resolve(remembered.find((kept) => kept.header === header)?.columns ?? null),
    ...(columns ? { columns } : {}),
  });
  if (!opened.ok) {
    files.delete(fileId);
    opening.resolve(null);
    return opened;
  }
  const { format, title, source, notes, series, grids = [], table, close: closeFile } = opened.value;
  // The user may have cancelled the reading, or closed the file.
  const isStillWanted = !signal.aborted && files.has(fileId);
  if (!isStillWanted) {
    files.delete(fileId);
    closeFile();
  }
  opening.resolve(isStillWanted ? { name, series, content: opened.value } : null);
  const gridInfos = grids.map(({ about }) => about);
  return {
    ok: true,
    value: { format, title, source, notes, series, grids: gridInfos, ...(table ? { table } : {}) },
  };
}

function close(fileId: string): void {
  void files.get(fileId)?.then((file) => file?.content.close());
  files.delete(fileId);
}

function post(response: ThreadResponse): void {
  const transfer = response.kind === "result" && response.result.ok ? buffersIn(response.result.value) : [];
  defined(parentPort).postMessage(response, transfer);
}

/** Buffers of the result, to be transferred instead of copied. */
function buffersIn(value: unknown, found: ArrayBuffer[] = []): ArrayBuffer[] {
  if (ArrayBuffer.isView(value)) {
    if (value.buffer instanceof ArrayBuffer && !found.includes(value.buffer)) found.push(value.buffer);
  } else if (typeof value === "object" && value !== null) {
    for (const part of Object.values(value)) buffersIn(part, found);
  }
  return found;
}
