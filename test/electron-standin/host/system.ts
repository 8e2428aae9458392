import { EventEmitter } from "node:events";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Display, Rectangle } from "electron";
import { WebContents } from "./contents.ts";

/** What the program asked the system to do, for the test to look at. */
export const done: { readonly what: string; readonly value: unknown }[] = [];

export const shell = {
  openExternal: async (url: string): Promise<void> => void done.push({ what: "openExternal", value: url }),
  showItemInFolder: (path: string): void => void done.push({ what: "showItemInFolder", value: path }),
  openPath: (path: string): Promise<string> => {
    done.push({ what: "openPath", value: path });
    return Promise.resolve("");
  },
};

/** Nothing holds a notification but the program that made it: the system does not. */
const notifications: WeakRef<Notification>[] = [];

/** As its user does, later: what the program let go is collected by then. */
export function clickNotification(): void {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  const notification = notifications.at(-1)?.deref();
  if (!notification) throw new Error("The notification was collected: nobody hears the click.");
  notification.emit("click", {});
}

/** As Windows and Linux tell of one that could not be shown. */
export function failNotification(reason: string): void {
  notifications.at(-1)?.deref()?.emit("failed", {}, reason);
}

export class Notification extends EventEmitter {
  readonly title: string;
  readonly body: string;

  constructor({ title = "", body = "" }: { title?: string; body?: string } = {}) {
    super();
    this.title = title;
    this.body = body;
  }

  static isSupported = (): boolean => true;

  show(): void {
    notifications.push(new WeakRef(this));
    done.push({ what: "notification", value: { title: this.title, body: this.body } });
    this.emit("show", {});
  }

  close(): void {
    this.emit("close", {});
  }
}

class NativeTheme extends EventEmitter {
  #source: "system" | "light" | "dark" = "system";

  get shouldUseDarkColors(): boolean {
    return this.#source === "dark";
  }

  get themeSource(): "system" | "light" | "dark" {
    return this.#source;
  }

  set themeSource(source: "system" | "light" | "dark") {
    this.#source = source;
    // With "system" the page asks the browser, which a test may have told.
    const features = source === "system" ? [] : [{ name: "prefers-color-scheme", value: source }];
    for (const contents of WebContents.getAllWebContents()) void contents.emulate(features).catch(() => {});
    this.emit("updated");
  }
}
export const nativeTheme = new NativeTheme();

class PowerMonitor extends EventEmitter {
  isOnBatteryPower = (): boolean => false;
}
export const powerMonitor = new PowerMonitor();

const AREA: Rectangle = { x: 0, y: 0, width: 1920, height: 1040 };

class Screen extends EventEmitter {
  displays = [{ id: 1, bounds: { ...AREA, height: 1080 }, workArea: AREA, scaleFactor: 1 }] as unknown as Display[];

  getAllDisplays = (): Display[] => this.displays;
  getPrimaryDisplay = (): Display => this.displays[0]!;
}
export const screen = new Screen();

export const crashReporter = {
  start: (options: { uploadToServer?: boolean }): void => void done.push({ what: "crashReporter", value: options }),
};
