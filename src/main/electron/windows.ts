import { BrowserWindow, dialog, Menu, type MessageBoxOptions, nativeTheme, screen } from "electron";
import type { CommandId } from "#shared/commands.ts";
import { log } from "../log/index.ts";
import { textMenuTemplate } from "./menu.ts";
import { MIN_SIZE, placeWindow, type ShellStateFile } from "./shellState.ts";
import { PAGE_ORIGIN } from "./permissions.ts";

/** The same as `--bg` of the page's stylesheet, so that a window does not flash when its page appears. */
const BACKGROUND = { light: "#f3f5f7", dark: "#0f1419" };
const REMEMBER_AFTER_MS = 400;
/** Some systems never report that a hidden window is ready to show. */
const SHOW_AFTER_MS = 2_000;

/** The windows of the program. */
export class Windows {
  readonly #preload: string;
  readonly #state: ShellStateFile;
  /** By the id of their web contents, as in messages. */
  readonly byContents = new Map<number, BrowserWindow>();
  readonly #places = new WeakMap<BrowserWindow, () => void>();
  /** A window that becomes ready during shutdown stays hidden. */
  #isLeaving = false;

  /** @param preload path of the preload script's bundle */
  constructor(preload: string, state: ShellStateFile) {
    this.#preload = preload;
    this.#state = state;
  }

  open(): BrowserWindow {
    const window = new BrowserWindow({
      ...placeWindow(this.#state.current.bounds, workAreas(), this.byContents.size),
      minWidth: MIN_SIZE.width,
      minHeight: MIN_SIZE.height,
      title: "Zenith Desk",
      show: false,
      backgroundColor: nativeTheme.shouldUseDarkColors ? BACKGROUND.dark : BACKGROUND.light,
      webPreferences: {
        preload: this.#preload,
        contextIsolation: true,
        sandbox: true,
        nodeIntegration: false,
        webSecurity: true,
        webviewTag: false,
        spellcheck: false,
      },
    });
    const { id } = window.webContents;
    this.byContents.set(id, window);
    const isMaximized = this.#state.current.maximized && this.byContents.size === 1;
    showOnce(window, () => {
      if (this.#isLeaving) return;
      if (isMaximized) window.maximize();
      window.show();
    });
    window.on("closed", () => this.byContents.delete(id));
    window.on("unresponsive", () => {
      log.warn("a page does not respond");
      void offerWait(window);
    });
    window.webContents.on("context-menu", (_, place) => {
      const template = textMenuTemplate(place);
      if (template.length > 0) Menu.buildFromTemplate(template).popup({ window });
    });
    window.webContents.on("render-process-gone", (_, { reason }) => {
      if (reason === "clean-exit" || reloading.delete(window)) return;
      log.error(`a page's process ended: ${reason}`);
      void offerReload(window, reason);
    });
    this.#places.set(window, rememberPlace(window, this.#state));
    void window.loadURL(`${PAGE_ORIGIN}/index.html`);
    return window;
  }

  /** Brings a window to the front, or opens one. */
  focus(): void {
    const window = this.#inFront() ?? this.open();
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
  }

  /** Hides all windows before they close, and saves their bounds. */
  hide(): void {
    this.#isLeaving = true;
    for (const window of this.byContents.values()) {
      this.#places.get(window)?.();
      window.hide();
    }
  }

  /** Tells the window, or the one in front, to run a command of its palette. */
  run(command: CommandId, windowId: number | null): void {
    const window = windowId === null ? this.#inFront() : BrowserWindow.fromId(windowId);
    if (command === "new-window") return void this.open();
    const send = (to: BrowserWindow): void => to.webContents.send("zenith:command", command);
    if (window !== null) return send(window);
    // On a Mac, the menu remains when all windows are closed. The preload script keeps the command for the page.
    const opened = this.open();
    opened.webContents.once("did-finish-load", () => send(opened));
  }

  #inFront(): BrowserWindow | null {
    return BrowserWindow.getFocusedWindow() ?? [...this.byContents.values()].at(-1) ?? null;
  }
}

function workAreas(): [Electron.Rectangle, ...Electron.Rectangle[]] {
  const primary = screen.getPrimaryDisplay();
  const others = screen.getAllDisplays().filter((display) => display.id !== primary.id);
  return [primary.workArea, ...others.map((display) => display.workArea)];
}

/** Shows a window at the first sign of content, or after a timeout. */
function showOnce(window: BrowserWindow, show: () => void): void {
  let isDone = false;
  const once = (): void => {
    clearTimeout(late);
    if (isDone || window.isDestroyed()) return;
    isDone = true;
    show();
  };
  const late = setTimeout(once, SHOW_AFTER_MS);
  window.once("ready-to-show", once);
  window.webContents.once("did-finish-load", once);
}

/**
 * Saves the bounds of a window, also while it moves, in case the program is killed.
 *
 * @returns a function that saves them now
 */
function rememberPlace(window: BrowserWindow, state: ShellStateFile): () => void {
  let timer: NodeJS.Timeout | undefined;
  const remember = (): void => {
    clearTimeout(timer);
    // A hidden window no longer knows that it was maximized.
    if (window.isDestroyed() || window.isMinimized() || !window.isVisible()) return;
    state.change({ bounds: window.getNormalBounds(), maximized: window.isMaximized() });
  };
  const soon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(remember, REMEMBER_AFTER_MS);
  };
  window.on("resize", soon);
  window.on("move", soon);
  window.on("close", remember);
  return remember;
}

/** Windows whose page process was killed on purpose for a reload. */
const reloading = new WeakSet<BrowserWindow>();

/** Windows with a question about their page. The system reports again and again that a page hangs. */
const asked = new WeakSet<BrowserWindow>();

/** Asks about a window, if it does not ask already. @returns the number of the button; null if there is no answer */
async function ask(window: BrowserWindow, question: MessageBoxOptions): Promise<number | null> {
  if (window.isDestroyed() || asked.has(window)) return null;
  asked.add(window);
  const { response } = await dialog.showMessageBox(window, question).finally(() => asked.delete(window));
  return window.isDestroyed() || question.signal?.aborted ? null : response;
}

/** Handles a page that has not responded to input for a while, but may recover. */
async function offerWait(window: BrowserWindow): Promise<void> {
  const isBack = new AbortController();
  window.once("responsive", () => isBack.abort());
  const response = await ask(window, {
    type: "warning",
    message: "This window does not respond",
    detail: "Downloads continue and no data are lost. Wait, or reload the page.",
    buttons: ["Wait", "Reload", "Close window"],
    defaultId: 0,
    cancelId: 0,
    signal: isBack.signal,
  });
  if (response === 2) window.destroy();
  if (response !== 1) return;
  // A hanging page would not reload, so its process is killed first.
  reloading.add(window);
  window.webContents.forcefullyCrashRenderer();
  window.webContents.reload();
}

async function offerReload(window: BrowserWindow, reason: string): Promise<void> {
  const response = await ask(window, {
    type: "error",
    message: "This window's page stopped",
    detail: `Downloads continue and no data are lost. The system says: ${reason}.`,
    buttons: ["Reload", "Close window"],
    defaultId: 0,
    cancelId: 1,
  });
  if (response === 0) window.webContents.reload();
  if (response === 1) window.close();
}
