import { type ChildProcess, fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { type Browser, chromium as playwright, type Page } from "playwright-core";
import { chromiumPath } from "../e2e/harness/chromium.ts";
import type { Answered, Asked, Controls, WindowState } from "./host/control.ts";
import { type StandinSettings, settingsEnvironment } from "./host/settings.ts";

// Where the stand-in is not as Electron: a page's own address is https://zenith.app.invalid/ (app://zenith/ in the main
// process); permissions are asked about when a page is loaded, not when it wants something; windows that a page opens can
// only be denied; a file that a page is given lies in the folder that the test names; no ports go through ports; menus have
// no accelerators; what is on the screen is only noted. A test may reload a page, but page.goto() counts as the page's own
// wish. Playwright's waitForFunction is stopped by the page's policy.

export interface StandinOptions {
  /** The built main bundle. */
  readonly main: string;
  readonly dataFolder: string;
  readonly keyStore?: StandinSettings["keyStore"];
  readonly readyToShow?: StandinSettings["readyToShow"];
  readonly env?: Readonly<Record<string, string>>;
  /** Command line of the program: what the system asks it to open. */
  readonly args?: readonly string[];
  /** Where files that a page is given lie, by their names. */
  readonly fileFolder?: string;
}

type Control = {
  readonly [Name in keyof Controls]: (
    ...args: Parameters<Controls[Name]>
  ) => Promise<Awaited<ReturnType<Controls[Name]>>>;
};

/** The program under the stand-in, from the test's side. */
export interface Standin {
  /** The page of the first window, when it has loaded. */
  page(): Promise<Page>;
  /** The pages of all windows, in the order they were opened. */
  windows(): Promise<Page[]>;
  /** What the pretended desktop knows and can be told. */
  readonly control: Control;
  menu(id: string): { click(): Promise<void> };
  setSaveDialog(path: string | null): Promise<void>;
  /** Ends the core as a crash would. @returns how many processes that were */
  killCore(): Promise<number>;
  webPreferences(): Promise<Readonly<Record<string, unknown>>>;
  suspend(): Promise<void>;
  resume(): Promise<void>;
  /** Ends the program as its user would, and waits for its end. @returns the exit code */
  quit(): Promise<number | null>;
  /** Ends the program at once, as the system would. */
  kill(): Promise<void>;
  /** What the program wrote to its output so far. */
  logs(): string;
  /** Resolves at the end of the program, with its exit code. */
  readonly ended: Promise<number | null>;
}

const REGISTER = new URL("./register.ts", import.meta.url).href;
const START_MS = 60_000;

/** The secret store of a folder outlives the program that used it. */
const storageKeys = new Map<string, string>();

/** @returns why there cannot be a stand-in here; null where there can */
export function standinMissing(): string | null {
  return chromiumPath() === null ? "There is no Chromium on this computer (CHROMIUM names another place)." : null;
}

export async function openStandin(options: StandinOptions): Promise<Standin> {
  const chromium = chromiumPath();
  if (chromium === null) throw new Error("There is no Chromium on this computer.");
  const storageKey = storageKeys.get(options.dataFolder) ?? randomBytes(32).toString("hex");
  storageKeys.set(options.dataFolder, storageKey);
  const child = fork(options.main, [...(options.args ?? [])], {
    execArgv: ["--unhandled-rejections=warn", "--import", REGISTER],
    env: {
      ...process.env,
      ZENITH_HOME: options.dataFolder,
      ...options.env,
      ...settingsEnvironment({
        chromium,
        keyStore: options.keyStore ?? "keyring",
        readyToShow: options.readyToShow ?? "loaded",
        storageKey,
        electronVersion: electronVersion(),
        fileFolder: options.fileFolder ?? null,
      }),
    },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  let logs = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (text: Buffer) => (logs += text.toString()));
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  let isEnded = false;
  void ended.then(() => (isEnded = true));

  const control = controlOf(child, () => logs);
  const until = async <T>(what: string, ask: () => Promise<T | null>): Promise<T> => {
    const endMs = Date.now() + START_MS;
    for (;;) {
      const answer = await ask();
      if (answer !== null) return answer;
      if (isEnded) throw new Error(`The program ended before ${what}:\n${logs}`);
      if (Date.now() > endMs) throw new Error(`Waited in vain for ${what}:\n${logs}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };

  const address = await until("its browser", control.browserAddress);
  const browser = await playwright.connectOverCDP(address);
  const targetIds = new Map<Page, string>();

  async function pageOf({ targetId }: WindowState): Promise<Page | null> {
    for (const page of browser.contexts().flatMap((context) => context.pages())) {
      // A page that does not tell it while it is being made is asked again.
      const known = targetIds.get(page) ?? (await targetIdOf(page).catch(() => null));
      if (known !== null) targetIds.set(page, known);
      if (known === targetId) return page;
    }
    return null;
  }

  async function windows(): Promise<Page[]> {
    const states = (await control.windows()).filter(({ url }) => url !== "");
    const pages = await Promise.all(states.map(pageOf));
    return pages.filter((page) => page !== null);
  }

  return {
    control,
    ended,
    windows,
    logs: () => logs,
    async page() {
      const page = await until("its first window", async () => (await windows())[0] ?? null);
      await page.waitForLoadState();
      return page;
    },
    menu: (id) => ({ click: () => control.clickMenu(id) }),
    setSaveDialog: (path) => control.setSaveDialog(path),
    killCore: () => control.crashUtilities(),
    webPreferences: async () => (await control.windows())[0]?.webPreferences ?? {},
    suspend: () => control.suspend(),
    resume: () => control.resume(),
    async quit() {
      if (!isEnded) await control.quit().catch(() => {});
      const code = await ended;
      await disconnect(browser);
      return code;
    },
    async kill() {
      child.kill("SIGKILL");
      await ended;
      await disconnect(browser);
    },
  };
}

function controlOf(child: ChildProcess, logs: () => string): Control {
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  let lastId = 0;
  child.on("message", ({ id, error, value }: Answered) => {
    const call = waiting.get(id);
    waiting.delete(id);
    if (error === null) call?.resolve(value);
    else call?.reject(new Error(error));
  });
  child.once("exit", () => {
    for (const { reject } of waiting.values()) reject(new Error(`The program ended:\n${logs()}`));
  });
  const ask = (name: keyof Controls, args: readonly unknown[]): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const asked: Asked = { id: ++lastId, name, args };
      waiting.set(asked.id, { resolve, reject });
      child.send(asked, (error) => {
        if (error) reject(error);
      });
    });
  return new Proxy({} as Control, {
    get:
      (_, name) =>
      (...args: unknown[]) =>
        ask(name as keyof Controls, args),
  });
}

async function targetIdOf(page: Page): Promise<string> {
  const session = await page.context().newCDPSession(page);
  const { targetInfo } = await session.send("Target.getTargetInfo");
  await session.detach();
  return targetInfo.targetId;
}

async function disconnect(browser: Browser): Promise<void> {
  await browser.close().catch(() => {});
}

function electronVersion(): string {
  const path = new URL("../../node_modules/electron/package.json", import.meta.url);
  return (JSON.parse(readFileSync(path, "utf8")) as { version: string }).version;
}
