import type { Browser, Page } from "playwright-core";

/** An event of a trace; durations in microseconds, `tdur` of the processor alone. */
interface TraceEvent {
  readonly name: string;
  readonly tdur?: number;
}

/** Frames in which nothing was to do are left out. */
const LEAST_MS = 0.2;

/**
 * Milliseconds that the page kept the processor busy in each frame while `act` moved something: what other programs do
 * meanwhile does not count, unlike in `Window.frames`.
 */
export async function processorFrames(browser: Browser, page: Page, act: () => Promise<void>): Promise<number[]> {
  await browser.startTracing(page, { categories: ["devtools.timeline"] });
  await act();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  return traceEvents
    .filter(({ name, tdur }) => name === "FireAnimationFrame" && tdur !== undefined)
    .map(({ tdur }) => tdur! / 1_000)
    .filter((ms) => ms > LEAST_MS);
}
