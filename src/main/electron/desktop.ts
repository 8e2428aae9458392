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
import { createCoreProcess, type CoreProcess } from "./coreProcess.ts";
import { forkGuest } from "./guest.ts";
import { lockDown } from "./lockdown.ts";
import { menuTemplate } from "./menu.ts";
import { SafeSecrets } from "./secrets.ts";
import { senderWindow } from "./permissions.ts";
import { servePage } from "./servePage.ts";
import { openShellState } from "./shellState.ts";
import { type OpenFileQueue, switchesOf } from "./openedFiles.ts";
import { Windows } from "./windows.ts";

interface DesktopOptions {
  readonly dataFolder: string;
  readonly profileFolder: string;
  /** Folder of this bundle, beside those of preload script and page. */
  readonly bundles: string;
  /** Files that the system asks to open. */
  readonly files: OpenFileQueue;
}

/** Runs the program once Electron is ready. */
export function runDesktop({ dataFolder, profileFolder, bundles, files }: DesktopOptions): void {
  lockDown();
  protocol.handle("app", (request) => servePage(join(bundles, "..", "renderer"), request));
  const state = openShellState(join(dataFolder, "window.json"));
  nativeTheme.themeSource = state.current.theme;

  const windows = new Windows(join(bundles, "..", "preload", "preload.cjs"), state);
  const restart = (): void => {
    end.restartWith([]);
    app.quit();
  };
  const keys = join(profileFolder, "keys");
  const secrets = new SafeSecrets(
    keys,
    safeStorage,
    process.platform,
    once(() => void offerUnlocking(restart)),
  );
  const core = createCoreProcess({
    fork: () => forkCore(join(bundles, "core-process.js")),
    forkGuest: () => forkGuest(bundles),
    core: { dataFolder, components: components(), notifications: Notification.isSupported() },
    calls: createShellCalls(secrets, windows, state),
    onReady: (reason) => connectAll(reason),
    onAnswering: (isAnswering) => setAnswering(isAnswering),
    onGivenUp: (sentence) => void offerRestart(sentence, dataFolder, core),
  });
  const connectAll = connectWindows(windows, core);
  const setAnswering = reportAnswering(windows, core);

  Menu.setApplicationMenu(
    Menu.buildFromTemplate(
      menuTemplate({
        platform: process.platform,
        developer: !app.isPackaged,
        run: (command, windowId) => windows.run(command, windowId),
      }),
    ),
  );
  powerMonitor.on("suspend", core.suspend);
  powerMonitor.on("resume", core.resume);
  const end = closeInOrder(windows, core);
  files.follow((paths) => (end.isClosing() ? end.restartWith(paths) : core.offer(paths)));
  const focus = (): void => (end.isClosing() ? end.restartWith([]) : windows.focus());
  app.on("open-file", focus);
  app.on("second-instance", focus);
  app.on("activate", focus);
  app.on("window-all-closed", () => {
    if (process.platform !== "darwin") app.quit();
  });
  windows.open();
}

/** Paths that the preload script determined for `File`s of the page, which cannot invent one. */
const pathList = z.array(z.string().min(1).max(32_000)).max(200);

/** Connects each window that requests it to the core, and again after each restart of the core. */
function connectWindows(windows: Windows, core: CoreProcess): (reason: string | null) => void {
  const connected = new Set<number>();

  function connect(contentsId: number, reason: string | null): void {
    const window = windows.byContents.get(contentsId);
    const port = window && core.connect(window.id);
    if (port) window.webContents.postMessage("zenith:core", reason, [port]);
  }

  // The only messages accepted from a page; all others go through its port to the core.
  ipcMain.on("zenith:request-core", (event) => {
    if (senderWindow(event, windows.byContents) === null) return;
    connected.add(event.sender.id);
    connect(event.sender.id, null);
  });
  ipcMain.handle("zenith:grant-files", (event, paths: unknown): Promise<readonly FileGrant[]> => {
    if (senderWindow(event, windows.byContents) === null) throw new Error("Only the program's own page is answered.");
    return core.grant(pathList.parse(paths).map((path) => ({ path })));
  });
  return (reason) => {
    for (const contentsId of connected) connect(contentsId, reason);
  };
}

/** Tells windows, including later ones, whether the core answers, and restarts it if a window requests that. */
function reportAnswering(windows: Windows, core: CoreProcess): (isAnswering: boolean) => void {
  let isAnswering = true;
  ipcMain.on("zenith:request-core", (event) => {
    if (!isAnswering && senderWindow(event, windows.byContents) !== null)
      event.sender.send("zenith:core-answering", false);
  });
  ipcMain.on("zenith:restart-core", (event) => {
    if (senderWindow(event, windows.byContents) !== null) void core.restart();
  });
  return (isNowAnswering) => {
    isAnswering = isNowAnswering;
    for (const window of windows.byContents.values()) window.webContents.send("zenith:core-answering", isNowAnswering);
  };
}

function forkCore(path: string): Electron.UtilityProcess {
  return utilityProcess.fork(path, [], {
    serviceName: "Zenith Desk core",
    // This process reads its output and logs it.
    stdio: "pipe",
    // A small young generation, because streamed buffers die at once: their memory, which lies outside the heap, is freed
    // early only by frequent minor collections.
    execArgv: ["--js-flags=--max-semi-space-size=2"],
  });
}

function components(): { readonly name: string; readonly version: string }[] {
  return [
    { name: "Electron", version: process.versions["electron"] ?? "unknown" },
    { name: "Chromium", version: process.versions["chrome"] ?? "unknown" },
  ];
}

/** Handles requests to the program while it is closing. */
interface Shutdown {
  isClosing(): boolean;
  /** Starts the program again as soon as it has ended, with these files. */
  restartWith(files: readonly string[]): void;
}

/** Closes the core's databases before the program ends. */
function closeInOrder(windows: Windows, core: CoreProcess): Shutdown {
  let isClosing = false;
  let isClosed = false;
  let again: readonly string[] | null = null;
  const close = async (): Promise<void> => {
    await core.close();
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
    restartWith: (paths) => (again = [...(again ?? []), ...paths]),
  };
}

function startAgain(files: readonly string[]): void {
  // The content of an AppImage is mounted for one run only, so its file is started.
  const { APPIMAGE: execPath } = process.env;
  app.relaunch({ ...(execPath ? { execPath } : {}), args: [...switchesOf(process.argv), ...files] });
}

/** Only the first call has an effect. */
function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) work();
    isDone = true;
  };
}

async function offerUnlocking(restart: () => void): Promise<void> {
  const { response } = await dialog.showMessageBox({
    type: "warning",
    message: "The secret store of this system is locked",
    detail:
      "It holds the API key. Unlock it, then restart Zenith Desk. Cached data remain available, and downloads resume.",
    buttons: ["Restart", "Continue without the key"],
    defaultId: 0,
    cancelId: 1,
  });
  if (response === 0) restart();
}

async function offerRestart(sentence: string, dataFolder: string, core: CoreProcess): Promise<void> {
  const { response } = await dialog.showMessageBox({
    type: "error",
    message: "Zenith Desk cannot run",
    detail: sentence,
    buttons: ["Start again", "Open data folder", "Quit"],
    defaultId: 0,
    cancelId: 2,
  });
  if (response === 0) return core.startAgain();
  if (response === 2) return app.quit();
  await shell.openPath(dataFolder);
  return offerRestart(sentence, dataFolder, core);
}
