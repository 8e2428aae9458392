import type { Browser, Page } from "playwright-core";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { chromium } from "playwright-core";
import { companion } from "../harness/child.ts";
import { peakMbOfTree } from "../harness/memory.ts";
import { browserPath } from "./browser.ts";

/** One frame of the page: its duration, and the time for which the page worked in it, in milliseconds. */
export interface Frame {
  readonly ms: number;
  readonly work: number;
}

/** The application in a browser, with the recorder in its page. */
export interface Window {
  readonly page: Page;
  /** From the start of the shell's process until lines are drawn, or until the list of stations if none are expected. */
  readonly coldMs: number;
  /** Milliseconds from the click of `act` until `stations` are drawn. */
  clickToDrawn(stations: number, act: () => Promise<void>): Promise<number>;
  /** The frames while `act` moves something, without frames in which the page did nothing. */
  frames(act: () => Promise<void>): Promise<readonly Frame[]>;
  /** Peak size of the page's JavaScript heap in bytes, including arrays. */
  mostHeapBytes(): Promise<number>;
  /** Peak resident memory of the shell and its core, in MB. */
  corePeakMb(): number;
}

const SIZE = { width: 1440, height: 900 };
/** The time after which a new window of the browser is idle. */
const SETTLE_MS = 1_500;

export function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: browserPath(),
    args: [
      "--no-sandbox",
      "--disable-quic",
      "--disable-background-networking",
      "--disable-component-update",
      // Otherwise the browser rounds the size of the heap.
      "--enable-precise-memory-info",
    ],
  });
}

/**
 * Opens the window, runs the work in it, and always closes it.
 *
 * @param drawn the number of stations that are drawn when the window opens; 0 waits only for the list of stations
 */
export async function inWindow<T>(
  browser: Browser,
  dataFolder: string,
  drawn: number,
  work: (window: Window) => Promise<T>,
): Promise<T> {
  // The browser is running, with a profile and a window in which the page gets a tab: Chromium loads pages for its own
  // toolbars, which takes as much processor time as our page.
  const context = await browser.newContext({ viewport: SIZE });
  await context.newPage();
  await sleep(SETTLE_MS);
  const startedMs = performance.now();
  const shell = await companion<Hello>("desktop/shell.ts", { dataFolder });
  try {
    return await work(await openWindow(await context.newPage(), shell.hello, startedMs, drawn));
  } finally {
    await context.close();
    await shell.close();
  }
}

/** The first message of `shell.ts`. */
interface Hello {
  readonly link: string;
  readonly pid: number;
}

async function openWindow(page: Page, { link, pid }: Hello, startedMs: number, drawn: number): Promise<Window> {
  await page.addInitScript({ path: join(import.meta.dirname, "recorder.js") });
  await page.addInitScript(`bench.expectDrawn(${drawn}, false)`);
  await page.goto(link);
  await page.locator("[role=grid] [data-id]").first().waitFor();
  if (drawn > 0) await page.evaluate("bench.whenDrawn");
  const coldMs = performance.now() - startedMs;
  return {
    page,
    coldMs,
    async clickToDrawn(stations, act) {
      await page.evaluate(`bench.expectDrawn(${stations}, true)`);
      await act();
      await page.evaluate("bench.whenDrawn");
      return page.evaluate<number>("bench.drawnMs - bench.clickMs");
    },
    async frames(act) {
      await page.evaluate("bench.record()");
      await act();
      const all = await page.evaluate<Frame[]>("bench.stop()");
      return all.filter((frame) => frame.work > 0.2);
    },
    mostHeapBytes: () => page.evaluate<number>("bench.mostHeapBytes"),
    corePeakMb: () => peakMbOfTree(pid),
  };
}
