import { type ChildProcess, fork, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { type Browser, chromium as playwright, type Page } from "playwright-core";
import { chromiumPath } from "../e2e/harness/chromium.ts";
import type { ControlRequest, ControlResponse, Controls, WindowState } from "./host/control.ts";
import { type StandinSettings, settingsEnvironment } from "./host/settings.ts";

// Differences from Electron: the address of a page is https://zenith.app.invalid/ (app://zenith/ in the main process), because
// Chromium knows no other scheme, with the privileges of the declared scheme alone (address.ts); renderers have a sandbox
// only if the test asks for one (`isSandboxed` tells what the program asked for);
// permissions are requested when a page is loaded, not when it needs them; a window opened by a page is not controlled;
// files given to a page must be in the folder named by the test; ports cannot be sent through ports; menus have no
// accelerators; notifications and dialogs are only recorded. A test may reload a page, but page.goto() counts as a
// navigation of the page. The policy of the page blocks waitForFunction of Playwright.

export interface StandinOptions {
  /** The built main bundle. */
  readonly main: string;
  readonly dataFolder: string;
  readonly keyStore?: StandinSettings["keyStore"];
  readonly readyToShow?: StandinSettings["readyToShow"];
  /** By default, none. */
  readonly sandbox?: StandinSettings["sandbox"];
  readonly env?: Readonly<Record<string, string>>;
  /** Arguments of the program, such as files that the system opens with it. */
  readonly args?: readonly string[];
  /** The folder of files given to a page, which are found by name. */
  readonly fileFolder?: string;
}

type Control = {
  readonly [Name in keyof Controls]: (
    ...args: Parameters<Controls[Name]>
  ) => Promise<Awaited<ReturnType<Controls[Name]>>>;
};

/** The program under the stand-in, controlled by a test. */
export interface Standin {
  /** The page of the first window, when it has loaded. */
  page(): Promise<Page>;
  /** The pages of all windows, in the order of opening. */
  windows(): Promise<Page[]>;
  /** State and actions of the simulated desktop. */
  readonly control: Control;
  menu(id: string): { click(): Promise<void> };
  webPreferences(): Promise<Readonly<Record<string, unknown>>>;
  /** Quits the program like a user, and waits for its end. @returns the exit code */
  quit(): Promise<number | null>;
  /** Kills the program. */
  kill(): Promise<void>;
  /** The output of the program so far. */
  logs(): string;
  /** Resolves at the end of the program, with its exit code. */
  readonly ended: Promise<number | null>;
}

const REGISTER = new URL("./register.ts", import.meta.url).href;
const START_MS = 60_000;

/** Keys of the secret stores by data folder, which outlive a program. */
const storageKeys = new Map<string, string>();

/** @returns why the stand-in cannot run here; null if it can */
export function standinMissing(): string | null {
  return chromiumPath() === null ? "There is no Chromium on this computer (CHROMIUM names another place)." : null;
}

/** @returns why renderers cannot have a sandbox here; null if they can */
export function sandboxMissing(): string | null {
  const done = spawnSync("unshare", ["--user", "--map-user=1000", "--map-group=1000", "unshare", "--user", "true"]);
  return done.status === 0 ? null : "This system allows no user namespaces, or has no `unshare`.";
}

export async function openStandin(options: StandinOptions): Promise<Standin> {
  const chromium = chromiumPath();
  if (chromium === null) throw new Error("There is no Chromium on this computer.");
  const storageKey = storageKeys.get(options.dataFolder) ?? randomBytes(32).toString("hex");
  storageKeys.set(options.dataFolder, storageKey);
  const child = fork(options.main, [...(options.args ?? [])], {
    execArgv: ["--unhandled-rejections=warn-with-error-code", "--import", REGISTER],
    env: {
      ...process.env,
      ZENITH_HOME: options.dataFolder,
      ...options.env,
      ...settingsEnvironment({
        chromium,
        keyStore: options.keyStore ?? "keyring",
        readyToShow: options.readyToShow ?? "loaded",
        sandbox: options.sandbox ?? "none",
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
  const until = async <T>(description: string, read: () => Promise<T | null>): Promise<T> => {
    const endMs = Date.now() + START_MS;
    for (;;) {
      const value = await read();
      if (value !== null) return value;
      if (isEnded) throw new Error(`The program ended before ${description} was ready:\n${logs}`);
      if (Date.now() > endMs) throw new Error(`${description} was not ready in time:\n${logs}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };

  const address = await until("its browser", control.browserAddress);
  const browser = await playwright.connectOverCDP(address);
  const targetIds = new Map<Page, string>();

  async function pageOf({ targetId }: WindowState): Promise<Page | null> {
    for (const page of browser.contexts().flatMap((context) => context.pages())) {
      // A page under construction may not have an id yet; later calls try again.
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
    webPreferences: async () => (await control.windows())[0]?.webPreferences ?? {},
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
  child.on("message", ({ id, error, value }: ControlResponse) => {
    const call = waiting.get(id);
    waiting.delete(id);
    if (error === null) call?.resolve(value);
    else call?.reject(new Error(error));
  });
  child.once("exit", () => {
    for (const { reject } of waiting.values()) reject(new Error(`The program ended:\n${logs()}`));
  });
  const send = (name: keyof Controls, args: readonly unknown[]): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const request: ControlRequest = { id: ++lastId, name, args };
      waiting.set(request.id, { resolve, reject });
      child.send(request, (error) => {
        if (error) reject(error);
      });
    });
  return new Proxy({} as Control, {
    get:
      (_, name) =>
      (...args: unknown[]) =>
        send(name as keyof Controls, args),
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
