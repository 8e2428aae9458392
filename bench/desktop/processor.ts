import type { Browser, Page } from "playwright-core";

/** An event of a trace; durations in microseconds, `tdur` in processor time. */
interface TraceEvent {
  readonly name: string;
  readonly tdur?: number;
}

/** Shorter frames had nothing to do and are skipped. */
const LEAST_MS = 0.2;

/**
 * Milliseconds of processor time that the page used in each frame while `act` moved something. Unlike `Window.frames`,
 * this does not include the work of other programs.
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
