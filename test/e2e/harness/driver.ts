import type { BrowserContext, Page } from "playwright-core";

export type ShellKind = "web" | "standin" | "electron";

/** A way to run the application around its window. */
export interface Driver {
  readonly kind: ShellKind;
  /** Why it cannot run here, in a sentence; null if it can. */
  unavailable(): string | null;
  start(options: StartOptions): Promise<Running>;
}

export interface StartOptions {
  readonly dataFolder: string;
  /** The folder of files dropped on a window, from which the desktop program reads them. */
  readonly fileFolder: string;
}

/** The running application. */
export interface Running {
  readonly context: BrowserContext;
  /** Its first window. */
  readonly page: Page;
  /** The origin of the page; requests to other origins use the network. */
  readonly origin: string;
  /** Another window of the same application. */
  openWindow(): Promise<Page>;
  /**
   * Runs an action that writes a file into `folder`, and answers the shell's save dialog if there is one.
   *
   * @param ending of the name of the file, if the page itself may save another one at the same time
   */
  saved(page: Page, folder: string, act: () => Promise<void>, ending?: string): Promise<SavedFile>;
  /** Runs an action that asks for a file to open, and chooses this one. */
  opened(page: Page, path: string, act: () => Promise<void>): Promise<void>;
  /** The options of Electron's windows; null for a browser. */
  webPreferences(): Promise<Readonly<Record<string, unknown>> | null>;
  /** Crashes the core; the application must restart it. */
  killCore(): Promise<void>;
  /** Kills everything at once, like a power failure. */
  kill(): Promise<void>;
  /** Closes the application regularly. */
  close(): Promise<void>;
}

export interface SavedFile {
  readonly path: string;
  /** The name proposed by the application. */
  readonly suggestedName: string;
}
