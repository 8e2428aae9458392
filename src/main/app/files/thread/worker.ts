import { parentPort } from "node:worker_threads";
import { createColumnCache, openSeriesFile } from "#formats/open/index.ts";
import { createPace } from "../../reading/pace.ts";
import { readFilePage, readFileWindows, type ReadableFile } from "../read.ts";
import type { Answer, Order, QuestionKind, Questions } from "./messages.ts";

// Decoding a file, or the whole of a series, takes seconds where they are large: nothing else should wait for it.

/** Decoded columns of all files together. */
const MOST_COLUMN_BYTES = 256 * 1024 * 1024;

const cache = createColumnCache(MOST_COLUMN_BYTES);
const files = new Map<string, ReadableFile>();
const stops = new Map<number, AbortController>();

parentPort!.on("message", (order: Order) => {
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
  const file = files.get(order.fileId);
  if (!file) throw new Error("no such file");
  return order.kind === "windows"
    ? readFileWindows(file, order.question, createPace(signal))
    : readFilePage(file, order.question);
}

async function open(
  fileId: string,
  { path, name }: Questions["open"]["question"],
  signal: AbortSignal,
): Promise<Questions["open"]["answer"]> {
  const opened = await openSeriesFile(path, { signal, cache });
  if (!opened.ok) return opened;
  const { format, title, source, notes, series, close: closeFile } = opened.value;
  // Whoever stopped it has forgotten it already.
  if (signal.aborted) closeFile();
  else files.set(fileId, { name, series, content: opened.value });
  return { ok: true, value: { format, title, source, notes, series } };
}

function close(fileId: string): void {
  files.get(fileId)?.content.close();
  files.delete(fileId);
}

function post(told: Answer): void {
  const moved = told.kind === "answer" && told.answer.ok ? buffersIn(told.answer.value) : [];
  parentPort!.postMessage(told, moved);
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
