import type { BrowserContext, Page } from "playwright-core";

export type ShellKind = "web" | "standin" | "electron";

/** A way to run the application around its window. */
export interface Driver {
  readonly kind: ShellKind;
  /** Why it cannot run here, in a sentence; null where it can. */
  unavailable(): string | null;
  start(options: StartOptions): Promise<Running>;
}

export interface StartOptions {
  readonly dataFolder: string;
  /** Where the files lie that are dropped on a window: the desktop reads them there. */
  readonly fileFolder: string;
}

/** The application, running. */
export interface Running {
  readonly context: BrowserContext;
  /** Its first window. */
  readonly page: Page;
  /** What the page is served from: everything else is the network. */
  readonly origin: string;
  /** Another window of the same application. */
  openWindow(): Promise<Page>;
  /** Does what ends in a file in `folder`, and answers the question for its place where the shell asks one. */
  saved(page: Page, folder: string, act: () => Promise<void>): Promise<SavedFile>;
  /** Does what asks for a file to open, and answers with this one. */
  opened(page: Page, path: string, act: () => Promise<void>): Promise<void>;
  /** What Electron's windows were made with; null where the window is a browser's. */
  webPreferences(): Promise<Readonly<Record<string, unknown>> | null>;
  /** Ends the core as a fault of its own would; the application is to start it again. */
  killCore(): Promise<void>;
  /** Ends everything at once, as a power failure would. */
  kill(): Promise<void>;
  /** Ends in order. */
  close(): Promise<void>;
}

export interface SavedFile {
  readonly path: string;
  /** As the application proposed it. */
  readonly suggestedName: string;
}
