import { app } from "./app.ts";
import { dialogAnswers, shownDialogs } from "./dialog.ts";
import { Menu, openedMenus } from "./menu.ts";
import { clipboardText } from "./contents.ts";
import { clickNotification, failNotification, powerMonitor, systemCalls } from "./system.ts";
import { UtilityProcess } from "./utility.ts";
import { BrowserWindow } from "./window.ts";

export interface WindowState {
  readonly id: number;
  /** The page in Chromium; null until there is one. */
  readonly targetId: string | null;
  readonly url: string;
  readonly isVisible: boolean;
  readonly isFocused: boolean;
  readonly isMaximized: boolean;
  readonly bounds: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  readonly progress: number;
  readonly webPreferences: Readonly<Record<string, unknown>>;
}

/** Functions with which tests read and control the simulated desktop. */
const controls = {
  browserAddress: (): string | null => (app.isReady() ? app.browser().address : null),
  windows: (): WindowState[] => BrowserWindow.getAllWindows().map(stateOf),
  isSandboxed: (): boolean => app.isSandboxed,
  setSaveDialog: (path: string | null): void => void (dialogAnswers.savePath = path),
  setMessageBox: (button: number): void => void (dialogAnswers.button = button),
  shownDialogs: () => shownDialogs,
  systemCalls: () => systemCalls,
  clickMenu(id: string): void {
    const item = Menu.getApplicationMenu()?.getMenuItemById(id);
    if (!item) throw new Error(`There is no menu item “${id}”.`);
    item.click();
  },
  /** The entries of the context menu that was opened last; a role that is not enabled in brackets. */
  contextMenu: (): string[] =>
    (openedMenus.at(-1)?.items ?? []).flatMap(({ role, enabled }) =>
      role === undefined ? [] : enabled ? role : `(${role})`,
    ),
  clickContextMenu(role: string): void {
    const item = openedMenus.at(-1)?.items.find((entry) => entry.role === role);
    if (!item) throw new Error(`The context menu has no “${role}”.`);
    item.click();
  },
  setClipboard: (text: string): void => void (clipboardText.current = text),
  /** Throws an error in the main process. */
  failMain: (): void =>
    void setImmediate(() => {
      throw new Error("an unexpected error of the test");
    }),
  rejectMain: (): void => void Promise.reject(new Error("an unexpected rejection of the test")),
  suspend: (): void => void powerMonitor.emit("suspend"),
  resume: (): void => void powerMonitor.emit("resume"),
  setBounds: (id: number, bounds: Partial<WindowState["bounds"]>): void => BrowserWindow.fromId(id)?.setBounds(bounds),
  runInPage: (id: number, expression: string): Promise<unknown> | undefined =>
    BrowserWindow.fromId(id)?.webContents.executeJavaScript(expression),
  /** Emits a late ready-to-show event of a window. */
  becomeReady: (id: number): void => BrowserWindow.fromId(id)?.becomeReady(),
  maximizeWindow: (id: number): void => BrowserWindow.fromId(id)?.maximize(),
  /** Emits the event of an unresponsive page. */
  freezeWindow: (id: number): void => void BrowserWindow.fromId(id)?.emit("unresponsive"),
  clickNotification,
  failNotification,
  /** Moves the focus to another program. */
  leaveWindow: (id: number): void => BrowserWindow.fromId(id)?.blur(),
  minimizeWindow: (id: number): void => BrowserWindow.fromId(id)?.minimize(),
  /** Sends a message to the main process in the name of the utility processes. */
  sendAsUtility: (message: unknown): void =>
    UtilityProcess.running().forEach((child) => void child.emit("message", message)),
  focusWindow: (id: number): void => BrowserWindow.fromId(id)?.focus(),
  quit: (): void => app.quit(),
  utilityPids: (): number[] => UtilityProcess.running().flatMap(({ pid }) => pid ?? []),
  failUtilities(): void {
    for (const child of UtilityProcess.running()) child.fail();
  },
  crashUtilities(): number {
    const running = UtilityProcess.running();
    for (const child of running) child.crash();
    return running.length;
  },
};

export type Controls = typeof controls;

export interface ControlRequest {
  readonly id: number;
  readonly name: keyof Controls;
  readonly args: readonly unknown[];
}

export interface ControlResponse {
  readonly id: number;
  readonly error: string | null;
  readonly value: unknown;
}

function send(response: ControlResponse): void {
  process.send?.(response, () => {});
}

async function respond({ id, name, args }: ControlRequest): Promise<void> {
  try {
    const control = controls[name] as (...args: readonly unknown[]) => unknown;
    send({ id, error: null, value: await control(...args) });
  } catch (error) {
    send({ id, error: String(error), value: null });
  }
}

/** Handles requests of the test, which arrive through the channel of the parent process. */
export function handleControl(): void {
  process.on("message", (request: ControlRequest) => void respond(request));
  process.on("disconnect", () => app.exit(0));
}

function stateOf(window: BrowserWindow): WindowState {
  return {
    id: window.id,
    targetId: window.webContents.targetId,
    url: window.webContents.getURL(),
    isVisible: window.isVisible(),
    isFocused: window.isFocused(),
    isMaximized: window.isMaximized(),
    bounds: window.getBounds(),
    progress: window.progress,
    webPreferences: window.webContents.getLastWebPreferences(),
  };
}
