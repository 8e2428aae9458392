import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, startBrowser } from "./browser.ts";
import { Emitter } from "./emitter.ts";
import { takeLock } from "./lock.ts";
import { FATAL_CODE, followSessionBus, takeSignals } from "./mainProcess.ts";
import { settings } from "./settings.ts";

interface Closable {
  close(): void;
  isDestroyed(): boolean;
}

const switches = new Set(
  process.argv.filter((argument) => argument.startsWith("--")).map((argument) => argument.slice(2).split("=")[0] ?? ""),
);
class App extends Emitter {
  readonly isPackaged = false;
  readonly commandLine = {
    appendSwitch: (name: string): void => void switches.add(name),
    hasSwitch: (name: string): boolean => switches.has(name),
  };
  #sandboxed = false;
  #browser: Browser | null = null;
  #isReady = false;
  #isQuitting = false;
  readonly #windows = new Set<Closable>();
  readonly #paths = new Map([
    ["home", homedir()],
    ["temp", tmpdir()],
    ["documents", join(homedir(), "Documents")],
    ["downloads", join(homedir(), "Downloads")],
  ]);
  // As in Electron, the main module is loaded before the application is ready.
  readonly #ready = new Promise<void>((resolve) => setImmediate(resolve)).then(() => this.#start());

  isReady = (): boolean => this.#isReady;
  whenReady = (): Promise<void> => this.#ready;
  setAppUserModelId = (): void => {};
  setPath = (name: string, path: string): void => void this.#paths.set(name, path);

  getPath = (name: string): string => {
    const path = this.#paths.get(name);
    if (path === undefined) throw new Error(`Failed to get '${name}' path`);
    return path;
  };

  enableSandbox = (): void => {
    if (this.isReady()) throw new Error("app.enableSandbox() can only be called before app is ready");
    this.#sandboxed = true;
    switches.delete("no-sandbox");
  };

  get isSandboxed(): boolean {
    return this.#sandboxed;
  }

  requestSingleInstanceLock = (): boolean =>
    takeLock(this.getPath("userData"), ({ argv, workingDirectory }) =>
      this.emit("second-instance", {}, argv, workingDirectory, null),
    );

  /** The browser of the windows. */
  browser = (): Browser => {
    if (!this.#browser) throw new Error("Cannot create BrowserWindow before app is ready, or without Chromium");
    return this.#browser;
  };

  add(window: Closable): void {
    this.#windows.add(window);
  }

  /** Removes a closed window. After the last one, the application ends unless there is a listener. */
  remove(window: Closable): void {
    this.#windows.delete(window);
    if (this.#windows.size > 0) return;
    if (this.#isQuitting) setImmediate(() => this.#leave());
    else if (this.listenerCount("window-all-closed") > 0) this.emit("window-all-closed");
    else this.quit();
  }

  quit = (): void => {
    if (this.consult("before-quit")) return;
    this.#isQuitting = true;
    if (this.#windows.size === 0) this.#leave();
    for (const window of this.#windows) window.close();
  };

  /** Cancels quitting because a window did not close. */
  cancelQuit(): void {
    this.#isQuitting = false;
  }

  /** Only logs the relaunch, for the test. */
  relaunch = (options: { readonly args?: string[]; readonly execPath?: string } = {}): void =>
    console.log(`Relaunches with ${JSON.stringify(options)}`);

  exit = (code = 0): void => {
    void this.#end(code);
  };

  #leave(): void {
    if (this.consult("will-quit")) {
      this.#isQuitting = false;
      return;
    }
    this.emit("quit", {}, 0);
    void this.#end(0);
  }

  async #end(code: number): Promise<never> {
    await this.#browser?.close();
    process.exit(code);
  }

  /** As the main process is Chromium's own, it ends with a Chromium that refuses to start. */
  async #startBrowser(executable: string, sandbox: typeof settings.sandbox): Promise<Browser> {
    const profile = join(this.getPath("userData"), "chromium");
    try {
      return await startBrowser({ executable, profile, isSandboxed: this.#sandboxed, sandbox });
    } catch (error) {
      console.error(error);
      process.exit(FATAL_CODE);
    }
  }

  async #start(): Promise<void> {
    const { chromium, sandbox } = settings;
    if (chromium !== null) this.#browser = await this.#startBrowser(chromium, sandbox);
    this.#isReady = true;
    followSessionBus();
    takeSignals(this.quit);
    this.emit("ready", {}, {});
  }
}

export const app = new App();
