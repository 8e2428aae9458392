import { EventEmitter } from "node:events";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Display, Rectangle } from "electron";
import { WebContents } from "./contents.ts";

/** Recorded requests of the program to the system, for the test. */
export const systemCalls: { readonly what: string; readonly value: unknown }[] = [];

export const shell = {
  openExternal: async (url: string): Promise<void> => void systemCalls.push({ what: "openExternal", value: url }),
  showItemInFolder: (path: string): void => void systemCalls.push({ what: "showItemInFolder", value: path }),
  openPath: (path: string): Promise<string> => {
    systemCalls.push({ what: "openPath", value: path });
    return Promise.resolve("");
  },
};

/** As in Electron, only the program keeps references to its notifications. */
const notifications: WeakRef<Notification>[] = [];

/** Clicks the last notification after a garbage collection, which removes it if the program has no reference. */
export function clickNotification(): void {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  const notification = notifications.at(-1)?.deref();
  if (!notification) throw new Error("The notification was garbage-collected and cannot be clicked.");
  notification.emit("click", {});
}

/** Emits the error of a notification that could not be shown, as on Windows and Linux. */
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
    systemCalls.push({ what: "notification", value: { title: this.title, body: this.body } });
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
    // With “system”, the page uses the setting of the browser, which a test may change.
    const features = source === "system" ? [] : [{ name: "prefers-color-scheme", value: source }];
    for (const contents of WebContents.getAllWebContents()) void contents.emulate(features).catch(() => {});
    this.emit("updated");
  }
}
export const nativeTheme = new NativeTheme();

export const powerMonitor = new EventEmitter();

const AREA: Rectangle = { x: 0, y: 0, width: 1920, height: 1040 };

class Screen extends EventEmitter {
  displays = [{ id: 1, bounds: { ...AREA, height: 1080 }, workArea: AREA, scaleFactor: 1 }] as unknown as Display[];

  getAllDisplays = (): Display[] => this.displays;
  getPrimaryDisplay = (): Display => this.displays[0]!;
}
export const screen = new Screen();

export const crashReporter = {
  start: (options: { uploadToServer?: boolean }): void =>
    void systemCalls.push({ what: "crashReporter", value: options }),
};
