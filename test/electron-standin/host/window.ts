import type { BrowserWindowConstructorOptions, Rectangle } from "electron";
import { app } from "./app.ts";
import { WebContents } from "./contents.ts";
import { Emitter } from "./emitter.ts";
import { settings } from "./settings.ts";

/** The height of Chromium's user interface above a page; the headless shell has none. */
const CHROME_PX = /headless[-_]shell/.test(settings.chromium ?? "") ? 0 : 87;

let lastId = 0;
const all = new Map<number, BrowserWindow>();
let focused: BrowserWindow | null = null;
let watchesTargets = false;

/** A window of Chromium. Its bounds and visibility are simulated, because the browser has no screen. */
export class BrowserWindow extends Emitter {
  readonly id = ++lastId;
  readonly webContents: WebContents;
  readonly options: BrowserWindowConstructorOptions;
  progress = -1;
  #bounds: Rectangle;
  #isShown: boolean;
  #state: "normal" | "minimized" | "maximized" = "normal";
  #isDestroyed = false;

  constructor(options: BrowserWindowConstructorOptions = {}) {
    super();
    const browser = app.browser();
    watchTargets();
    this.options = options;
    const { x = 0, y = 0, width = 800, height = 600 } = options;
    this.#bounds = { x, y, width, height };
    this.#isShown = options.show ?? true;
    const preferences = { ...DEFAULT_PREFERENCES, ...options.webPreferences };
    this.webContents = new WebContents(browser.open(width, height + CHROME_PX), preferences, app.browser);
    all.set(this.id, this);
    app.add(this);
    if (this.#isShown) this.focus();
    if (settings.readyToShow === "loaded") this.webContents.once("did-finish-load", () => this.becomeReady());
    app.emit("web-contents-created", {}, this.webContents);
    app.emit("browser-window-created", {}, this);
  }

  static getAllWindows = (): BrowserWindow[] => [...all.values()];
  static getFocusedWindow = (): BrowserWindow | null => focused;
  static fromId = (id: number): BrowserWindow | null => all.get(id) ?? null;

  loadURL = (url: string): Promise<void> => this.webContents.loadURL(url);
  isDestroyed = (): boolean => this.#isDestroyed;
  isVisible = (): boolean => this.#isShown;
  isFocused = (): boolean => focused === this;
  isMinimized = (): boolean => this.#state === "minimized";
  /** On X11, a hidden window is not maximized. */
  isMaximized = (): boolean => this.#isShown && this.#state === "maximized";
  getBounds = (): Rectangle => ({ ...this.#bounds });
  getNormalBounds = this.getBounds;
  setProgressBar = (share: number): void => void (this.progress = share);

  setBounds(bounds: Partial<Rectangle>): void {
    this.#bounds = { ...this.#bounds, ...bounds };
    this.emit("resize");
    this.emit("move");
  }

  show(): void {
    this.#isShown = true;
    this.emit("show", {});
    this.focus();
  }

  hide(): void {
    this.#isShown = false;
    this.blur();
    this.emit("hide", {});
  }

  focus(): void {
    if (this.isFocused()) return;
    focused?.blur();
    focused = all.get(this.id) ?? null;
    this.emit("focus", {});
    app.emit("browser-window-focus", {}, this);
  }

  blur(): void {
    if (focused !== this) return;
    focused = null;
    this.emit("blur", {});
  }

  maximize = (): void => this.#become("maximized", "maximize");
  unmaximize = (): void => this.#become("normal", "unmaximize");
  minimize = (): void => this.#become("minimized", "minimize");
  restore = (): void => this.#become("normal", "restore");

  close(): void {
    if (this.#isDestroyed) return;
    if (this.consult("close")) app.cancelQuit();
    else this.destroy();
  }

  destroy(): void {
    if (this.#isDestroyed) return;
    void this.webContents.closePage();
    this.gone();
  }

  /** Cleans up after the page was closed by the program, a user or a test. */
  gone(): void {
    if (this.#isDestroyed) return;
    this.#isDestroyed = true;
    all.delete(this.id);
    if (focused === this) focused = null;
    this.webContents.destroyed();
    this.emit("closed", {});
    app.remove(this);
  }

  becomeReady(): void {
    this.emit("ready-to-show", {});
  }

  #become(state: "normal" | "minimized" | "maximized", event: string): void {
    this.#state = state;
    this.#isShown = true;
    this.emit(event, {});
  }
}

/** The security-related defaults of Electron. */
const DEFAULT_PREFERENCES = {
  contextIsolation: true,
  nodeIntegration: false,
  nodeIntegrationInWorker: false,
  nodeIntegrationInSubFrames: false,
  sandbox: true,
  webSecurity: true,
  allowRunningInsecureContent: false,
  experimentalFeatures: false,
  webviewTag: false,
};

function byTarget(targetId: string | undefined): BrowserWindow | undefined {
  return BrowserWindow.getAllWindows().find(({ webContents }) => webContents.targetId === targetId);
}

/** Watches pages closed by users or tests. */
function watchTargets(): void {
  if (watchesTargets) return;
  watchesTargets = true;
  const browser = app.browser();
  browser.onGone((targetId) => {
    const window = byTarget(targetId);
    window?.emit("close", { preventDefault() {} });
    window?.gone();
  });
}
