import { fromPageUrl } from "./address.ts";
import { app } from "./app.ts";
import { Emitter } from "./emitter.ts";
import { permissionHandlers } from "./permissions.ts";
import { protocolHandlers } from "./requests.ts";
import { settings } from "./settings.ts";

class Session extends Emitter {
  readonly protocol = protocolHandlers;
  isSpellChecked = true;
  deviceHandler: unknown = null;

  constructor() {
    super();
    if (settings.chromium !== null) void app.whenReady().then(() => this.#watchDownloads());
  }

  setPermissionRequestHandler = (handler: typeof permissionHandlers.request): void =>
    void (permissionHandlers.request = handler);
  setPermissionCheckHandler = (handler: typeof permissionHandlers.check): void =>
    void (permissionHandlers.check = handler);
  setDevicePermissionHandler = (handler: unknown): void => void (this.deviceHandler = handler);
  setSpellCheckerEnabled = (enable: boolean): void => void (this.isSpellChecked = enable);
  resolveProxy = (): Promise<string> => Promise.resolve("DIRECT");

  async #watchDownloads(): Promise<void> {
    const { browser } = app.browser().cdp;
    browser.on<{ guid: string; url: string; suggestedFilename: string }>("Browser.downloadWillBegin", (download) => {
      const item = { getURL: () => fromPageUrl(download.url), getFilename: () => download.suggestedFilename };
      if (!this.consult("will-download", {}, item)) return;
      void browser.send("Browser.cancelDownload", { guid: download.guid }).catch(() => {});
    });
    await browser.send("Browser.setDownloadBehavior", { behavior: "default", eventsEnabled: true });
  }
}

const defaultSession = new Session();
export const session = { defaultSession };
