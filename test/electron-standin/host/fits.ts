import type * as real from "electron";
import type * as standin from "./electron.ts";

// Checked only by the compiler: the used parts of Electron have the same types here. Listeners are omitted, because
// Electron declares each of them separately.

type Fits<Real, Standin extends Real> = Standin;

type Window = InstanceType<typeof standin.BrowserWindow>;
type Contents = InstanceType<typeof standin.webContents>;

export type Checked = [
  Fits<
    Pick<
      real.App,
      | "enableSandbox"
      | "exit"
      | "getAppPath"
      | "getLocale"
      | "getName"
      | "getPath"
      | "getVersion"
      | "isPackaged"
      | "isReady"
      | "quit"
      | "relaunch"
      | "requestSingleInstanceLock"
      | "setAppUserModelId"
      | "setName"
      | "setPath"
      | "whenReady"
    >,
    typeof standin.app
  >,
  Fits<
    Pick<
      real.BrowserWindow,
      | "close"
      | "destroy"
      | "focus"
      | "getBounds"
      | "getNormalBounds"
      | "hide"
      | "id"
      | "isDestroyed"
      | "isFocused"
      | "isMaximized"
      | "isMinimized"
      | "isVisible"
      | "loadURL"
      | "maximize"
      | "minimize"
      | "restore"
      | "setBackgroundColor"
      | "setBounds"
      | "setProgressBar"
      | "show"
      | "unmaximize"
    >,
    Window
  >,
  Fits<new (options?: real.BrowserWindowConstructorOptions) => unknown, typeof standin.BrowserWindow>,
  Fits<
    Pick<real.WebContents, "forcefullyCrashRenderer" | "getURL" | "id" | "isDestroyed" | "loadURL" | "reload" | "send">,
    Contents
  >,
  Fits<Pick<real.WebFrameMain, "origin" | "url">, Contents["mainFrame"]>,
  Fits<Pick<real.Protocol, "isProtocolHandled" | "unhandle">, typeof standin.protocol>,
  Fits<
    Pick<real.Session, "resolveProxy" | "setSpellCheckerEnabled" | "setDevicePermissionHandler">,
    typeof standin.session.defaultSession
  >,
  Fits<
    Pick<real.Dialog, "showErrorBox" | "showMessageBox" | "showOpenDialog" | "showSaveDialog">,
    typeof standin.dialog
  >,
  Fits<Pick<real.Shell, "openExternal" | "openPath" | "showItemInFolder">, typeof standin.shell>,
  Fits<
    Pick<
      real.SafeStorage,
      | "decryptString"
      | "decryptStringAsync"
      | "encryptString"
      | "encryptStringAsync"
      | "getSelectedStorageBackend"
      | "isAsyncEncryptionAvailable"
      | "isEncryptionAvailable"
    >,
    typeof standin.safeStorage
  >,
  Fits<Pick<real.NativeTheme, "shouldUseDarkColors" | "themeSource">, typeof standin.nativeTheme>,
  Fits<Pick<real.Screen, "getAllDisplays" | "getPrimaryDisplay">, typeof standin.screen>,
  Fits<Pick<real.CrashReporter, "start">, typeof standin.crashReporter>,
  Fits<Pick<real.Notification, "close" | "show" | "title" | "body">, InstanceType<typeof standin.Notification>>,
  Fits<Pick<real.UtilityProcess, "kill" | "pid">, ReturnType<(typeof standin.utilityProcess)["fork"]>>,
  Fits<Pick<real.MessagePortMain, "close" | "start">, InstanceType<typeof standin.MessagePortMain>>,
];
