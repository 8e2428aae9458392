import type { EventEmitter } from "node:events";
import type * as real from "electron";
import type * as standin from "./electron.ts";

// Checked only by the compiler: what the stand-in has of Electron has the same types here. Listeners are omitted, because
// Electron declares each of them separately.

/** The members of Electron that the stand-in has, too. */
type Common<Real, Standin> = Pick<Real, Exclude<Extract<keyof Real, keyof Standin>, keyof EventEmitter>>;
type Fits<Real, Standin extends Common<Real, Standin>> = Standin;
type Instance<Name extends keyof typeof standin> = (typeof standin)[Name] extends abstract new (
  ...args: never[]
) => infer I
  ? I
  : never;

export type Checked = [
  Fits<Omit<real.App, "commandLine">, typeof standin.app>,
  Fits<Omit<real.BrowserWindow, "webContents">, Instance<"BrowserWindow">>,
  Fits<
    Pick<real.WebContents, "forcefullyCrashRenderer" | "getURL" | "id" | "isDestroyed" | "loadURL" | "reload" | "send">,
    Instance<"webContents">
  >,
  Fits<real.WebFrameMain, Instance<"webContents">["mainFrame"]>,
  Fits<real.Protocol, typeof standin.protocol>,
  Fits<
    Pick<real.Session, "resolveProxy" | "setSpellCheckerEnabled" | "setDevicePermissionHandler">,
    typeof standin.session.defaultSession
  >,
  Fits<real.Dialog, typeof standin.dialog>,
  Fits<real.Shell, typeof standin.shell>,
  Fits<real.SafeStorage, typeof standin.safeStorage>,
  Fits<real.NativeTheme, typeof standin.nativeTheme>,
  Fits<real.Screen, typeof standin.screen>,
  Fits<real.CrashReporter, typeof standin.crashReporter>,
  Fits<real.Notification, Instance<"Notification">>,
  Fits<Omit<real.UtilityProcess, "postMessage">, ReturnType<(typeof standin.utilityProcess)["fork"]>>,
  Fits<Omit<real.MessagePortMain, "postMessage">, Instance<"MessagePortMain">>,
];
