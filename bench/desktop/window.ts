import type { Browser, Page } from "playwright-core";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { chromium } from "playwright-core";
import { companion } from "../harness/child.ts";
import { peakMbOfTree } from "../harness/memory.ts";
import { browserPath } from "./browser.ts";

/** One frame of the page: how long it lasted, and how long the page worked in it. Milliseconds. */
export interface Frame {
  readonly ms: number;
  readonly work: number;
}

/** The application in a browser, with the recorder in its page. */
export interface Window {
  readonly page: Page;
  /** From the start of the shell's process until lines were on the canvas; NaN where none were waited for. */
  readonly coldMs: number;
  /** Until `stations` are drawn after what `act` clicks. Milliseconds from the click. */
  clickToDrawn(stations: number, act: () => Promise<void>): Promise<number>;
  /** The frames while `act` moves something, those in which the page did nothing left out. */
  frames(act: () => Promise<void>): Promise<readonly Frame[]>;
  /** Most bytes that the page's JavaScript ever held, arrays included. */
  mostHeapBytes(): Promise<number>;
  /** Most memory that the shell and its core ever had resident, in MB. */
  corePeakMb(): number;
}

const SIZE = { width: 1440, height: 900 };
/** Until a new window of the browser has nothing more to do. */
const SETTLE_MS = 1_500;

export function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: browserPath(),
    args: [
      "--no-sandbox",
      "--disable-quic",
      "--disable-background-networking",
      "--disable-component-update",
      // Without it the browser rounds the sizes of the heap.
      "--enable-precise-memory-info",
    ],
  });
}

/**
 * Opens the window, lets the work be done in it, and closes it whatever happens.
 *
 * @param drawn how many stations are drawn as soon as the window is open; 0 waits for the list of stations alone
 */
export async function inWindow<T>(
  browser: Browser,
  dataFolder: string,
  drawn: number,
  work: (window: Window) => Promise<T>,
): Promise<T> {
  // The browser runs already, has a profile, and a window in which the page gets a tab: for its own bars Chromium reads
  // pages of its own, which takes as much of the processor as ours.
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

/** What `shell.ts` says of itself. */
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
