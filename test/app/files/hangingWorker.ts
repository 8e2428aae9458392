import { parentPort } from "node:worker_threads";
import type { ThreadMessage } from "#main/app/files/thread/messages.ts";

// The thread that reads files, with an endless loop when it reads a page at this row.

const ENDLESS_OFFSET = 1_313;

const slice = Float64Array.prototype.slice;
let isEndless = false;
parentPort?.on("message", (message: ThreadMessage) => {
  isEndless = message.kind === "page" && message.query.offset === ENDLESS_OFFSET;
});
// oxlint-disable-next-line no-extend-native -- in a separate thread, which is terminated
Float64Array.prototype.slice = function (this: Float64Array, ...given) {
  if (isEndless) for (;;);
  return slice.apply(this, given);
};

await import("#main/app/files/thread/worker.ts");
