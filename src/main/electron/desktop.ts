import { join } from "node:path";
import {
  app,
  dialog,
  ipcMain,
  Menu,
  nativeTheme,
  Notification,
  powerMonitor,
  protocol,
  safeStorage,
  shell,
  utilityProcess,
} from "electron";
import { z } from "zod";
import type { FileGrant } from "#shared/file/opened.ts";
import { createShellCalls } from "./calls.ts";
import { createEngine, type Engine } from "./engine.ts";
import { lockDown } from "./lockdown.ts";
import { menuTemplate } from "./menu.ts";
import { createSafeSecrets } from "./secrets.ts";
import { senderWindow } from "./sender.ts";
import { servePage } from "./servePage.ts";
import { openShellState } from "./shellState.ts";
import { type FileInlet, switchesOf } from "./openedFiles.ts";
import { createWindows, type Windows } from "./windows.ts";

export interface DesktopOptions {
  readonly dataFolder: string;
  readonly profileFolder: string;
  /** Folder of this bundle, beside which those of preload and page lie. */
  readonly bundles: string;
  /** What the system asks to open. */
  readonly files: FileInlet;
}

/** The program, from the moment that Electron is ready. */
export function runDesktop({ dataFolder, profileFolder, bundles, files }: DesktopOptions): void {
  lockDown();
  protocol.handle("app", (request) => servePage(join(bundles, "..", "renderer"), request));
  const state = openShellState(join(dataFolder, "window.json"));
  nativeTheme.themeSource = state.current.theme;

  const windows = createWindows(join(bundles, "..", "preload", "preload.cjs"), state);
  const secrets = createSafeSecrets(join(profileFolder, "keys"), safeStorage, process.platform);
  const engine = createEngine({
    fork: () => forkCore(join(bundles, "core-process.js")),
    core: { dataFolder, components: components(), notifications: Notification.isSupported() },
    calls: createShellCalls(secrets, windows, state),
    onReady: (reason) => connectAll(reason),
    onAnswering: (isAnswering) => tellAnswering(isAnswering),
    onGivenUp: (sentence) => void offerWayOut(sentence, dataFolder, engine),
  });
  const connectAll = connectWindows(windows, engine);
  const tellAnswering = followAnswering(windows, engine);

  Menu.setApplicationMenu(
    Menu.buildFromTemplate(menuTemplate({ platform: process.platform, developer: !app.isPackaged, run: windows.run })),
  );
  powerMonitor.on("suspend", engine.suspend);
  powerMonitor.on("resume", engine.resume);
  const end = closeInOrder(windows, engine);
  files.follow((paths) => (end.isClosing() ? end.startAgainWith(paths) : engine.offer(paths)));
  const focus = (): void => (end.isClosing() ? end.startAgainWith([]) : windows.focus());
  app.on("open-file", focus);
  app.on("second-instance", focus);
  app.on("activate", focus);
  app.on("window-all-closed", () => {
    if (process.platform !== "darwin") app.quit();
  });
  windows.open();
}

/** Paths as the preload script finds them for `File`s of the page: no page can make one up. */
const pathList = z.array(z.string().min(1).max(32_000)).max(200);

/** Gives each window that asks a way to the core, and another one whenever there is another core. */
function connectWindows(windows: Windows, engine: Engine): (reason: string | null) => void {
  const asked = new Set<number>();

  function connect(contentsId: number, reason: string | null): void {
    const window = windows.byContents.get(contentsId);
    const port = window && engine.connect(window.id);
    if (port) window.webContents.postMessage("zenith:core", reason, [port]);
  }

  // The only messages that are taken from a page; all else goes over its port, straight to the core.
  ipcMain.on("zenith:request-core", (event) => {
    if (senderWindow(event, windows.byContents) === null) return;
    asked.add(event.sender.id);
    connect(event.sender.id, null);
  });
  ipcMain.handle("zenith:grant-files", (event, paths: unknown): Promise<readonly FileGrant[]> => {
    if (senderWindow(event, windows.byContents) === null) throw new Error("Only the program's own page is answered.");
    return engine.grant(pathList.parse(paths).map((path) => ({ path })));
  });
  return (reason) => {
    for (const contentsId of asked) connect(contentsId, reason);
  };
}

/** Tells windows whether the core answers, also those that come later, and ends one that does not where a window asks for it. */
function followAnswering(windows: Windows, engine: Engine): (isAnswering: boolean) => void {
  let isAnswering = true;
  ipcMain.on("zenith:request-core", (event) => {
    if (!isAnswering && senderWindow(event, windows.byContents) !== null) event.sender.send("zenith:engine", false);
  });
  ipcMain.on("zenith:restart-engine", (event) => {
    if (senderWindow(event, windows.byContents) !== null) void engine.restart();
  });
  return (isSo) => {
    isAnswering = isSo;
    for (const window of windows.byContents.values()) window.webContents.send("zenith:engine", isSo);
  };
}

function forkCore(path: string): Electron.UtilityProcess {
  return utilityProcess.fork(path, [], {
    serviceName: "Zenith Desk core",
    // Read by this process: what it prints belongs into the log too.
    stdio: "pipe",
    // A small young generation: what streams through is dead at once, and the bytes it refers to lie outside of it: they
    // are given back, and not collected with everything else, only where it is collected often.
    execArgv: ["--js-flags=--max-semi-space-size=2"],
  });
}

function components(): { readonly name: string; readonly version: string }[] {
  return [
    { name: "Electron", version: process.versions["electron"] ?? "unknown" },
    { name: "Chromium", version: process.versions["chrome"] ?? "unknown" },
  ];
}

/** What happens to those who want the program while it ends. */
interface Ending {
  isClosing(): boolean;
  /** The windows of this program are as good as gone: another one takes its place as soon as it has ended. */
  startAgainWith(files: readonly string[]): void;
}

/** The core closes its databases before the program ends. */
function closeInOrder(windows: Windows, engine: Engine): Ending {
  let isClosing = false;
  let isClosed = false;
  let again: readonly string[] | null = null;
  const close = async (): Promise<void> => {
    await engine.close();
    isClosed = true;
    if (again !== null) startAgain(again);
    app.quit();
  };
  app.on("before-quit", (event) => {
    if (isClosed) return;
    event.preventDefault();
    if (isClosing) return;
    isClosing = true;
    windows.hide();
    void close();
  });
  return {
    isClosing: () => isClosing,
    startAgainWith: (paths) => (again = [...(again ?? []), ...paths]),
  };
}

function startAgain(files: readonly string[]): void {
  // An AppImage is mounted for one run only: what is started is its file.
  const { APPIMAGE: execPath } = process.env;
  app.relaunch({ ...(execPath ? { execPath } : {}), args: [...switchesOf(process.argv), ...files] });
}

async function offerWayOut(sentence: string, dataFolder: string, engine: Engine): Promise<void> {
  const { response } = await dialog.showMessageBox({
    type: "error",
    message: "Zenith Desk cannot work at the moment",
    detail: sentence,
    buttons: ["Start again", "Open data folder", "Quit"],
    defaultId: 0,
    cancelId: 2,
  });
  if (response === 0) return engine.startAgain();
  if (response === 2) return app.quit();
  await shell.openPath(dataFolder);
  return offerWayOut(sentence, dataFolder, engine);
}
