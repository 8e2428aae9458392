import { parentPort } from "node:worker_threads";
import type { ToGuest } from "#main/app/files/guest/protocol.ts";

// The thread that parses, with an endless loop, or endlessly more memory, when it reads a page at these rows.

const [ENDLESS_OFFSET, HUGE_OFFSET] = [1_313, 1_314];

const slice = Float64Array.prototype.slice;
let isEndless = false;
let isHuge = false;
const kept: Buffer[] = [];
parentPort?.on("message", (message: ToGuest) => {
  isEndless = message.kind === "page" && message.query.offset === ENDLESS_OFFSET;
  isHuge = message.kind === "page" && message.query.offset === HUGE_OFFSET;
});
// oxlint-disable-next-line no-extend-native -- in a separate thread, which is terminated
Float64Array.prototype.slice = function (this: Float64Array, ...given) {
  if (isHuge) for (;;) kept.push(Buffer.alloc(1 << 20, 1));
  if (isEndless) for (;;);
  return slice.apply(this, given);
};

await import("#main/app/files/guest/parser.ts");
