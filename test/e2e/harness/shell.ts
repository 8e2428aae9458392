import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { type RunningService, type ServiceOptions, startService } from "#service/index.ts";
import { builtApp } from "../../support/build.ts";
import { KEY } from "../../support/desk.ts";
import type { Driver, Running, SavedFile, ShellKind } from "./driver.ts";
import { drop } from "./drop.ts";
import { watch, type Watch } from "./watch.ts";

export interface OpenOptions {
  /** Options of the measurement service to start beside the shell, whose key is `KEY`; without, there is none. */
  readonly service?: ServiceOptions;
}

/** The application in a shell, on a data folder of its own that lives as long as this. */
export interface OpenShell {
  readonly kind: ShellKind;
  /** The first window; another one after `restart` and `kill`. */
  readonly page: Page;
  readonly context: BrowserContext;
  readonly dataFolder: string;
  readonly service: RunningService | null;
  /** What the pages did that they must not. */
  readonly problems: readonly string[];
  openWindow(): Promise<Page>;
  /** Does what ends in a file, in the first window unless told, and answers where to put it. The file lives as long as this. */
  saved(act: () => Promise<void>, page?: Page): Promise<SavedFile>;
  /** Does what asks for a file to open in the first window, and answers with this one. */
  opened(path: string, act: () => Promise<void>): Promise<void>;
  /** Drops a file on the first window, as a file manager does. */
  drop(name: string, content: string | Buffer): Promise<void>;
  /** What Electron's windows were made with; null where the window is a browser's. */
  webPreferences(): Promise<Readonly<Record<string, unknown>> | null>;
  /** Closes the application in order and starts it again. */
  restart(): Promise<void>;
  /** Ends the application as a power failure would, and starts it again. */
  killAndRestart(): Promise<void>;
  /** Ends the core as a fault of its own would. What the page says to it counts as no problem until `calm`. */
  killCore(): Promise<void>;
  /** What follows breaks something on purpose: what the pages say to it counts as no problem until `calm`. */
  expectProblems(): void;
  /** Something was broken on purpose, and all is well again. */
  calm(): void;
  close(): Promise<void>;
}

/** Starts the application, built from the sources of this moment. */
export async function openShell(driver: Driver, { service: serviceOptions }: OpenOptions = {}): Promise<OpenShell> {
  builtApp();
  const dataFolder = mkdtempSync(join(tmpdir(), "zenith-e2e-"));
  const files = mkdtempSync(join(tmpdir(), "zenith-e2e-files-"));
  const service = serviceOptions
    ? await startService({ organizations: [{ key: KEY, name: "test", owner: "aurora" }], ...serviceOptions })
    : null;
  const problems: string[] = [];
  let running: Running;
  let watched: Watch;

  async function start(): Promise<void> {
    running = await driver.start({ dataFolder, fileFolder: files });
    // What does not come is told by the step that waited for it, well before the test's own time is over.
    running.context.setDefaultTimeout(60_000);
    watched = watch(running.context, running.origin, problems);
  }
  await start();

  return {
    kind: driver.kind,
    get page() {
      return running.page;
    },
    get context() {
      return running.context;
    },
    dataFolder,
    service,
    problems,
    openWindow: () => running.openWindow(),
    saved: (act, page = running.page) => running.saved(page, files, act),
    opened: (path, act) => running.opened(running.page, path, act),
    async drop(name, content) {
      writeFileSync(join(files, name), content);
      await drop(running.page, name, content);
    },
    webPreferences: () => running.webPreferences(),
    async restart() {
      watched.pause();
      await running.close();
      await start();
    },
    async killAndRestart() {
      watched.pause();
      await running.kill();
      await start();
    },
    async killCore() {
      watched.pause();
      await running.killCore();
    },
    expectProblems: () => watched.pause(),
    calm: () => watched.resume(),
    async close() {
      watched.pause();
      await running.close();
      await service?.close();
      for (const folder of [dataFolder, files]) rmSync(folder, { recursive: true, force: true });
    },
  };
}
