import { BrowserWindow, dialog, nativeTheme, screen } from "electron";
import type { CommandId } from "#shared/commands.ts";
import { placeWindow, SMALLEST } from "./bounds.ts";
import { PAGE_ORIGIN } from "./sender.ts";
import type { ShellStateFile } from "./shellState.ts";

/** The windows of the program. */
export interface Windows {
  /** By the id of their contents, as messages name them. */
  readonly byContents: ReadonlyMap<number, BrowserWindow>;
  open(): BrowserWindow;
  /** Brings one to the front; opens one where there is none. */
  focus(): void;
  /** Tells the window, or the one in front, to run a command of its palette. */
  run(command: CommandId, windowId: number | null): void;
}

/** As `--bg` of the page's stylesheet, so that a window does not flash when its page appears. */
const GROUND = { light: "#f3f5f7", dark: "#0f1419" };
const REMEMBER_AFTER_MS = 400;

/** @param preload path of the preload script's bundle */
export function createWindows(preload: string, state: ShellStateFile): Windows {
  const byContents = new Map<number, BrowserWindow>();

  function open(): BrowserWindow {
    const window = new BrowserWindow({
      ...placeWindow(state.current.bounds, workAreas(), byContents.size),
      minWidth: SMALLEST.width,
      minHeight: SMALLEST.height,
      title: "Zenith Desk",
      show: false,
      backgroundColor: nativeTheme.shouldUseDarkColors ? GROUND.dark : GROUND.light,
      webPreferences: {
        preload,
        contextIsolation: true,
        sandbox: true,
        nodeIntegration: false,
        webSecurity: true,
        webviewTag: false,
        spellcheck: false,
      },
    });
    const { id } = window.webContents;
    byContents.set(id, window);
    window.once("ready-to-show", () => {
      if (state.current.maximized && byContents.size === 1) window.maximize();
      window.show();
    });
    window.on("closed", () => byContents.delete(id));
    window.webContents.on("render-process-gone", (_, { reason }) => {
      if (reason !== "clean-exit") void offerReload(window, reason);
    });
    rememberPlace(window, state);
    void window.loadURL(`${PAGE_ORIGIN}/index.html`);
    return window;
  }

  function inFront(): BrowserWindow | null {
    return BrowserWindow.getFocusedWindow() ?? [...byContents.values()].at(-1) ?? null;
  }

  return {
    byContents,
    open,
    focus() {
      const window = inFront() ?? open();
      if (window.isMinimized()) window.restore();
      window.show();
      window.focus();
    },
    run(command, windowId) {
      const window = windowId === null ? inFront() : BrowserWindow.fromId(windowId);
      if (command === "new-window" || window === null) open();
      else window.webContents.send("zenith:command", command);
    },
  };
}

function workAreas(): [Electron.Rectangle, ...Electron.Rectangle[]] {
  const primary = screen.getPrimaryDisplay();
  const others = screen.getAllDisplays().filter((display) => display.id !== primary.id);
  return [primary.workArea, ...others.map((display) => display.workArea)];
}

/** Also while it moves: a program that is killed says no goodbye. */
function rememberPlace(window: BrowserWindow, state: ShellStateFile): void {
  let timer: NodeJS.Timeout | undefined;
  const remember = (): void => {
    clearTimeout(timer);
    if (window.isDestroyed() || window.isMinimized()) return;
    state.change({ bounds: window.getNormalBounds(), maximized: window.isMaximized() });
  };
  const soon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(remember, REMEMBER_AFTER_MS);
  };
  window.on("resize", soon);
  window.on("move", soon);
  window.on("close", remember);
}

async function offerReload(window: BrowserWindow, reason: string): Promise<void> {
  if (window.isDestroyed()) return;
  const { response } = await dialog.showMessageBox(window, {
    type: "error",
    message: "This window's page stopped",
    detail: `Downloads go on and nothing is lost. The system says: ${reason}.`,
    buttons: ["Reload", "Close window"],
    defaultId: 0,
    cancelId: 1,
  });
  if (window.isDestroyed()) return;
  if (response === 0) window.webContents.reload();
  else window.close();
}
