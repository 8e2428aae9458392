import { parentPort, workerData } from "node:worker_threads";
import { useScratch } from "#formats/foreign/index.ts";
import { createColumnCache, openSource } from "#formats/open/index.ts";
import type { KeptColumns } from "#shared/file/columns.ts";
import { defined } from "#shared/defined.ts";
import { createPace, type Pace } from "../../pace.ts";
import { readFilePage, readFileWindows, readGridPoints, type ReadableFile } from "../read.ts";
import { readFileRowOrder, readFileRowsAt } from "../rowOrder.ts";
import { beat, createCaller, scratchBy, setCurrentRequest, type SharedMemory, sourceBy } from "./calls.ts";
import type { FileRequestKind, FileRequests, FromGuest, GuestRequest, ToGuest } from "./protocol.ts";

// The thread of a guest that parses.

/** Limit for the decoded columns of all files together, within the memory of the guest. */
const MAX_COLUMN_BYTES = 128 * 1024 * 1024;
const BEAT_MS = 250;

const port = defined(parentPort);
const memory = workerData as SharedMemory;
const cache = createColumnCache(MAX_COLUMN_BYTES);
/** Promises, so that requests wait while a file is being opened. */
const files = new Map<string, Promise<ReadableFile | null>>();
const stops = new Map<number, AbortController>();
const call = createCaller(memory, (message) => port.postMessage({ kind: "call", ...message } satisfies FromGuest));
useScratch(() => scratchBy(call));
beat(memory);
setInterval(() => beat(memory), BEAT_MS);

port.on("message", (message: Exclude<ToGuest, { readonly kind: "answer" }>) => {
  if (message.kind === "stop") return stops.get(message.id)?.abort();
  if (message.kind === "close") return closeFile(message.fileId);
  const stop = new AbortController();
  stops.set(message.id, stop);
  void handle(message, stop.signal)
    .then(
      (result) => post({ kind: "result", id: message.id, result }),
      (thrown: unknown) => post({ kind: "failed", id: message.id, message: String(thrown) }),
    )
    .finally(() => stops.delete(message.id));
});

async function handle(request: GuestRequest, signal: AbortSignal): Promise<FileRequests[FileRequestKind]["result"]> {
  if (request.kind === "open") return openInTurn(request, signal);
  const file = await files.get(request.fileId);
  if (!file) throw new Error("no such file");
  setCurrentRequest(memory, request.id);
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
    setCurrentRequest(memory, opening);
  }
}

/** Marks the request as inactive while others run. */
function reportingPace(id: number, pace: Pace): Pace {
  return {
    async yieldIfDue() {
      setCurrentRequest(memory, opening);
      await pace.yieldIfDue();
      setCurrentRequest(memory, id);
    },
  };
}

/** The request that opens a file: one at a time, so that it is known which file fails. */
let opening: number | null = null;
let lastOpening: Promise<unknown> = Promise.resolve();

type OpenRequest = Extract<GuestRequest, { readonly kind: "open" }>;

function openInTurn(request: OpenRequest, signal: AbortSignal): Promise<FileRequests["open"]["result"]> {
  const opened = Promise.withResolvers<ReadableFile | null>();
  files.set(request.fileId, opened.promise);
  const result = lastOpening.then(async () => {
    setCurrentRequest(memory, (opening = request.id));
    try {
      return await openFile(request, signal, opened.resolve);
    } finally {
      setCurrentRequest(memory, (opening = null));
      opened.resolve(null);
    }
  });
  lastOpening = result.catch(() => null);
  return result;
}

async function openFile(
  { fileId, query: { source, ...query } }: OpenRequest,
  signal: AbortSignal,
  onOpened: (file: ReadableFile) => void,
): Promise<FileRequests["open"]["result"]> {
  const opened = await openSource(sourceBy(call, source), {
    ...query,
    signal,
    cache,
    remembered: (header, now) => call({ op: "remembered", header, now }) as KeptColumns | null,
  });
  if (!opened.ok) {
    files.delete(fileId);
    return opened;
  }
  const { format, title, source: named, notes, series, grids = [], table, unreadFiles = [] } = opened.value;
  // The user may have cancelled the reading, or closed the file.
  if (!signal.aborted && files.has(fileId)) onOpened({ name: source.name, series, content: opened.value });
  else {
    files.delete(fileId);
    opened.value.close();
  }
  const contents = {
    format,
    title,
    source: named,
    notes,
    series,
    grids: grids.map(({ about }) => about),
    unreadFiles,
  };
  return { ok: true, value: table ? { ...contents, table } : contents };
}

function closeFile(fileId: string): void {
  void files.get(fileId)?.then((file) => file?.content.close());
  files.delete(fileId);
}

function post(response: FromGuest): void {
  const transfer = response.kind === "result" && response.result.ok ? buffersIn(response.result.value) : [];
  port.postMessage(response, transfer);
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
