// The exports of `import … from "electron"` in the main process. Importing a missing name fails when the program is
// loaded.
import { declareSchemes } from "./address.ts";
import { handleControl } from "./control.ts";
import { behaveLikeMainProcess } from "./mainProcess.ts";
import { protocolHandlers } from "./requests.ts";

export const protocol = { ...protocolHandlers, registerSchemesAsPrivileged: declareSchemes };

export { app } from "./app.ts";
export { dialog } from "./dialog.ts";
export { ipcMain } from "./ipcMain.ts";
export { MessageChannelMain } from "./mainPorts.ts";
export { MessagePortMain } from "./port.ts";
export { Menu, MenuItem } from "./menu.ts";
export { safeStorage } from "./safeStorage.ts";
export { session } from "./session.ts";
export { crashReporter, nativeTheme, Notification, powerMonitor, screen, shell } from "./system.ts";
export { utilityProcess } from "./utility.ts";
export { WebContents as webContents } from "./contents.ts";
export { BrowserWindow } from "./window.ts";

handleControl();
behaveLikeMainProcess();
