import { parentPort, workerData } from "node:worker_threads";
import { defined } from "#shared/defined.ts";
import { createColumnCache } from "#formats/open/index.ts";
import { createPace, type Pace } from "../../reading/pace.ts";
import { openAnyFile } from "../openAny.ts";
import { readFilePage, readFileWindows, readGridPoints, type ReadableFile } from "../read.ts";
import { readFileRowOrder, readFileRowsAt } from "../rowOrder.ts";
import { type Beat, keepBeating, tellWork } from "./beat.ts";
import type { Answer, Order, QuestionKind, Questions } from "./messages.ts";

// Decoding a file, or the whole of a series, takes seconds where they are large: nothing else should wait for it.

/** Decoded columns of all files together. */
const MOST_COLUMN_BYTES = 256 * 1024 * 1024;

const cache = createColumnCache(MOST_COLUMN_BYTES);
/** While one is opened, what is asked of it waits. */
const files = new Map<string, Promise<ReadableFile | null>>();
const stops = new Map<number, AbortController>();
const { beat } = workerData as { readonly beat: Beat };
keepBeating(beat);

defined(parentPort).on("message", (order: Order) => {
  if (order.kind === "stop") return stops.get(order.id)?.abort();
  if (order.kind === "close") return close(order.fileId);
  const stop = new AbortController();
  stops.set(order.id, stop);
  void answer(order, stop.signal)
    .then(
      (given) => post({ id: order.id, kind: "answer", answer: given }),
      (thrown: unknown) => post({ id: order.id, kind: "failed", message: String(thrown) }),
    )
    .finally(() => stops.delete(order.id));
});

async function answer(
  order: Extract<Order, { readonly id: number; readonly fileId: string }>,
  signal: AbortSignal,
): Promise<Questions[QuestionKind]["answer"]> {
  if (order.kind === "open") return open(order.fileId, order.question, signal);
  const file = await files.get(order.fileId);
  if (!file) throw new Error("no such file");
  tellWork(beat, order.id);
  try {
    switch (order.kind) {
      case "windows":
        return await readFileWindows(file, order.question, tellingPace(order.id, createPace(signal)));
      case "page":
        return readFilePage(file, order.question);
      case "gridPoints":
        return readGridPoints(file, order.question);
      case "rowOrder":
        return await readFileRowOrder(file, order.question, tellingPace(order.id, createPace(signal)));
      case "rowsAt":
        return readFileRowsAt(file, order.question);
    }
  } finally {
    tellWork(beat, null);
  }
}

/** While others have their turn, this one is not at work. */
function tellingPace(id: number, pace: Pace): Pace {
  return {
    async breathe() {
      tellWork(beat, null);
      await pace.breathe();
      tellWork(beat, id);
    },
  };
}

async function open(
  fileId: string,
  { path, name, columns, remembered }: Questions["open"]["question"],
  signal: AbortSignal,
): Promise<Questions["open"]["answer"]> {
  const opening = Promise.withResolvers<ReadableFile | null>();
  files.set(fileId, opening.promise);
  const opened = await openAnyFile(path, {
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
  // Whoever stopped it has forgotten it already.
  const isWanted = !signal.aborted && files.has(fileId);
  if (!isWanted) {
    files.delete(fileId);
    closeFile();
  }
  opening.resolve(isWanted ? { name, series, content: opened.value } : null);
  const gridded = grids.map(({ about }) => about);
  return {
    ok: true,
    value: { format, title, source, notes, series, grids: gridded, ...(table ? { table } : {}) },
  };
}

function close(fileId: string): void {
  void files.get(fileId)?.then((file) => file?.content.close());
  files.delete(fileId);
}

function post(told: Answer): void {
  const moved = told.kind === "answer" && told.answer.ok ? buffersIn(told.answer.value) : [];
  defined(parentPort).postMessage(told, moved);
}

/** Arrays that were made for the answer, to be moved instead of copied. */
function buffersIn(value: unknown, found: ArrayBuffer[] = []): ArrayBuffer[] {
  if (ArrayBuffer.isView(value)) {
    if (value.buffer instanceof ArrayBuffer && !found.includes(value.buffer)) found.push(value.buffer);
  } else if (typeof value === "object" && value !== null) {
    for (const part of Object.values(value)) buffersIn(part, found);
  }
  return found;
}
