import { EXIT } from "./exit.ts";

/** npm and the terminal may both pass the same Ctrl+C on: what comes this soon after the first is no second one. */
const SAME_MS = 300;

/**
 * Turns Ctrl+C and SIGTERM into an abort: the first stops cleanly, a second ends the program at once. What was committed
 * is safe either way.
 */
export function onInterrupt(): AbortSignal {
  const controller = new AbortController();
  let firstMs: number | null = null;
  const interrupted = (): void => {
    const nowMs = performance.now();
    if (firstMs === null) {
      firstMs = nowMs;
      controller.abort();
    } else if (nowMs - firstMs > SAME_MS) {
      process.exit(EXIT.interrupted);
    }
  };
  process.on("SIGINT", interrupted);
  process.on("SIGTERM", interrupted);
  return controller.signal;
}
