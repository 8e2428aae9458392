import { basename, join } from "node:path";
import { app, BrowserWindow, dialog, nativeTheme, Notification, session, shell } from "electron";
import { allowedAddress } from "#shared/addresses.ts";
import { hideInLog, log } from "../log/index.ts";
import { parseStoredKey } from "../secrets.ts";
import type { OpenFileOptions, SaveFileOptions } from "../ports.ts";
import type { ShellCalls } from "./messages.ts";
import { proxyAddress } from "./proxy.ts";
import type { PredictingSecrets } from "./secrets.ts";
import type { ShellStateFile } from "./shellState.ts";
import type { Windows } from "./windows.ts";

/** Limited, because some systems never report that a notification was closed. */
const MAX_NOTIFICATIONS = 50;

/** Implements the calls of the core in the main process. */
export function createShellCalls(secrets: PredictingSecrets, windows: Windows, state: ShellStateFile): ShellCalls {
  /** Referenced here, because a garbage-collected notification loses its click handler. */
  const notifications = new Set<Notification>();

  return {
    async readKey(connectionId) {
      const text = await secrets.get(connectionId);
      if (text !== null) hideStoredKey(text);
      return text;
    },
    async writeKey(connectionId, text) {
      hideStoredKey(text);
      await secrets.set(connectionId, text);
    },
    deleteKey: (connectionId) => secrets.delete(connectionId),
    keyProtection: () => secrets.protection(),
    expectedProtection: () => secrets.expectedProtection(),
    chooseSaveFile,
    chooseFolder,
    chooseOpenFiles,
    async showInFolder(path) {
      shell.showItemInFolder(path);
    },
    async openExternal(url) {
      const address = allowedAddress(url);
      if (address === null) throw new Error("Only addresses of this program's own help are opened.");
      await shell.openExternal(address);
    },
    async newWindow() {
      windows.open();
    },
    async notify(title, text) {
      if (BrowserWindow.getFocusedWindow() || !Notification.isSupported()) return;
      const notification = new Notification({ title, body: text });
      const forget = (): void => void notifications.delete(notification);
      notification.on("click", () => {
        forget();
        windows.focus();
      });
      notification.on("close", forget);
      notification.on("failed", (_, reason) => {
        forget();
        log.warn("a notification was not shown", reason);
      });
      notifications.add(notification);
      while (notifications.size > MAX_NOTIFICATIONS) notifications.delete([...notifications][0] ?? notification);
      notification.show();
    },
    async showProgress(share) {
      for (const window of windows.byContents.values()) window.setProgressBar(share ?? -1);
    },
    async useTheme(theme) {
      nativeTheme.themeSource = theme;
      if (state.current.theme !== theme) state.change({ theme });
    },
    async proxyFor(origin) {
      return proxyAddress(await session.defaultSession.resolveProxy(origin));
    },
  };
}

/** Hides the key of a stored text in the log. */
function hideStoredKey(text: string): void {
  const kept = parseStoredKey(text);
  if (kept !== null) hideInLog(kept.key);
}

async function chooseSaveFile(options: SaveFileOptions, windowId: number | null): Promise<string | null> {
  const dialogOptions = {
    // Only a file name: the user chooses the folder.
    defaultPath: join(app.getPath("documents"), basename(options.suggestedName)),
    filters: options.extensions.map((extension) => ({ name: `.${extension}`, extensions: [extension] })),
  };
  const parent = parentWindow(windowId);
  const { canceled, filePath } = parent
    ? await dialog.showSaveDialog(parent, dialogOptions)
    : await dialog.showSaveDialog(dialogOptions);
  return canceled || !filePath ? null : filePath;
}

async function chooseFolder(windowId: number | null): Promise<string | null> {
  const dialogOptions: Electron.OpenDialogOptions = { properties: ["openDirectory", "createDirectory"] };
  const { canceled, filePaths } = await openDialog(dialogOptions, windowId);
  return canceled ? null : (filePaths[0] ?? null);
}

async function chooseOpenFiles(
  { extensions, isFolder }: OpenFileOptions,
  windowId: number | null,
): Promise<readonly string[]> {
  const dialogOptions: Electron.OpenDialogOptions = {
    properties: [isFolder ? "openDirectory" : "openFile", "multiSelections"],
    filters: isFolder
      ? []
      : [
          { name: "Files of series and views", extensions: [...extensions] },
          { name: "All files", extensions: ["*"] },
        ],
  };
  const { canceled, filePaths } = await openDialog(dialogOptions, windowId);
  return canceled ? [] : filePaths;
}

function openDialog(options: Electron.OpenDialogOptions, windowId: number | null) {
  const parent = parentWindow(windowId);
  return parent ? dialog.showOpenDialog(parent, options) : dialog.showOpenDialog(options);
}

/** The parent window of a dialog; null for a dialog without one. */
function parentWindow(windowId: number | null): BrowserWindow | null {
  return windowId === null ? null : BrowserWindow.fromId(windowId);
}
