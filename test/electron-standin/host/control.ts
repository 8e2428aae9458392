import { app } from "./app.ts";
import { dialogAnswers, shown } from "./dialog.ts";
import { Menu } from "./menu.ts";
import { clickNotification, done, failNotification, powerMonitor } from "./system.ts";
import { UtilityProcess } from "./utility.ts";
import { BrowserWindow } from "./window.ts";

export interface WindowState {
  readonly id: number;
  /** The page of Chromium; null until there is one. */
  readonly targetId: string | null;
  readonly url: string;
  readonly isVisible: boolean;
  readonly isFocused: boolean;
  readonly isMaximized: boolean;
  readonly bounds: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  readonly progress: number;
  readonly webPreferences: Readonly<Record<string, unknown>>;
}

/** What a test can ask of the pretended desktop, and do to it. */
const controls = {
  browserAddress: (): string | null => (app.isReady() ? app.browser().address : null),
  windows: (): WindowState[] => BrowserWindow.getAllWindows().map(stateOf),
  isSandboxed: (): boolean => app.isSandboxed,
  setSaveDialog: (path: string | null): void => void (dialogAnswers.savePath = path),
  setMessageBox: (button: number): void => void (dialogAnswers.button = button),
  shownDialogs: () => shown,
  done: () => done,
  clickMenu(id: string): void {
    const item = Menu.getApplicationMenu()?.getMenuItemById(id);
    if (!item) throw new Error(`There is no menu item “${id}”.`);
    item.click();
  },
  suspend: (): void => void powerMonitor.emit("suspend"),
  resume: (): void => void powerMonitor.emit("resume"),
  setBounds: (id: number, bounds: Partial<WindowState["bounds"]>): void => BrowserWindow.fromId(id)?.setBounds(bounds),
  closeWindow: (id: number): void => BrowserWindow.fromId(id)?.close(),
  runInPage: (id: number, expression: string): Promise<unknown> | undefined =>
    BrowserWindow.fromId(id)?.webContents.executeJavaScript(expression),
  crashPage: (id: number): Promise<void> | undefined => BrowserWindow.fromId(id)?.webContents.crash(),
  /** The late word of a window that it can be shown. */
  becomeReady: (id: number): void => BrowserWindow.fromId(id)?.becomeReady(),
  maximizeWindow: (id: number): void => BrowserWindow.fromId(id)?.maximize(),
  /** Its page has not answered for a while. */
  freezeWindow: (id: number): void => void BrowserWindow.fromId(id)?.emit("unresponsive"),
  clickNotification,
  failNotification,
  /** Another program is in front. */
  leaveWindow: (id: number): void => BrowserWindow.fromId(id)?.blur(),
  minimizeWindow: (id: number): void => BrowserWindow.fromId(id)?.minimize(),
  /** Says to the main process what a utility process could say. */
  sayAsUtility: (message: unknown): void =>
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

export interface Asked {
  readonly id: number;
  readonly name: keyof Controls;
  readonly args: readonly unknown[];
}

export interface Answered {
  readonly id: number;
  readonly error: string | null;
  readonly value: unknown;
}

function send(answer: Answered): void {
  process.send?.(answer, () => {});
}

async function answer({ id, name, args }: Asked): Promise<void> {
  try {
    const control = controls[name] as (...args: readonly unknown[]) => unknown;
    send({ id, error: null, value: await control(...args) });
  } catch (error) {
    send({ id, error: String(error), value: null });
  }
}

/** Does what the test says, through the channel of the process that started this one. */
export function answerControl(): void {
  process.on("message", (asked: Asked) => void answer(asked));
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
