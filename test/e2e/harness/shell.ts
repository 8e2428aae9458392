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
  /** Options of a measurement service to start with the key `KEY`; by default none is started. */
  readonly service?: ServiceOptions;
}

/** The application in a shell, with a separate data folder that is deleted at the end. */
export interface OpenShell {
  readonly kind: ShellKind;
  /** The first window, replaced after `restart` and `kill`. */
  readonly page: Page;
  readonly context: BrowserContext;
  readonly dataFolder: string;
  readonly service: RunningService | null;
  /** Errors and forbidden actions of the pages. */
  readonly problems: readonly string[];
  openWindow(): Promise<Page>;
  /**
   * Runs an action that writes a file, by default in the first window, and chooses its path. The file is deleted at the
   * end.
   */
  saved(act: () => Promise<void>, page?: Page, ending?: string): Promise<SavedFile>;
  /** Runs an action that asks for a file to open in the first window, and chooses this one. */
  opened(path: string, act: () => Promise<void>): Promise<void>;
  /** Drops a file on the first window, as a file manager does. */
  drop(name: string, content: string | Buffer): Promise<void>;
  /** The options of Electron's windows; null for a browser. */
  webPreferences(): Promise<Readonly<Record<string, unknown>> | null>;
  /** Closes the application regularly and starts it again. */
  restart(): Promise<void>;
  /** Kills the application, like a power failure, and starts it again. */
  killAndRestart(): Promise<void>;
  /** Crashes the core. Errors of the pages are ignored until `calm`. */
  killCore(): Promise<void>;
  /** Announces a deliberate fault: errors of the pages are ignored until `calm`. */
  expectProblems(): void;
  /** Ends a deliberate fault: errors of the pages count again. */
  calm(): void;
  close(): Promise<void>;
}

/** Starts the application, built from the current sources. */
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
    // A step fails well before the time limit of the test.
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
    saved: (act, page = running.page, ending = "") => running.saved(page, files, act, ending),
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
