import { originOf, toPageUrl } from "./address.ts";
import type { Session } from "./cdp.ts";

type RequestHandler = (
  contents: never,
  permission: string,
  callback: (granted: boolean) => void,
  details: object,
) => void;
type CheckHandler = (contents: never, permission: string, origin: string, details: object) => boolean;

/** Chromium's names of what a page may ask for, and Electron's. */
const PERMISSIONS = {
  geolocation: "geolocation",
  notifications: "notifications",
  midi: "midi",
  camera: "media",
  microphone: "media",
  "clipboard-read": "clipboard-read",
  "clipboard-write": "clipboard-sanitized-write",
  "local-fonts": "local-fonts",
  "window-management": "window-management",
  "persistent-storage": "persistent-storage",
} as const;

export const permissionHandlers: { request: RequestHandler | null; check: CheckHandler | null } = {
  request: null,
  check: null,
};

/**
 * Asks the handlers beforehand, once for each permission, and tells Chromium what they say: it has no way to ask while a
 * page runs. Where there are no handlers everything is granted, as in Electron.
 */
export async function decidePermissions(url: string, browser: Session): Promise<void> {
  const origin = originOf(url);
  const asks = { getURL: () => url } as never;
  const details = { requestingUrl: url, isMainFrame: true };
  const decided = Object.entries(PERMISSIONS).map(([chromium, electron]) => {
    const mayAsk = permissionHandlers.check?.(asks, electron, `${origin}/`, details) ?? true;
    let granted = permissionHandlers.request === null;
    permissionHandlers.request?.(asks, electron, (answer) => void (granted = answer), details);
    const setting = mayAsk && granted ? "granted" : "denied";
    return browser.send("Browser.setPermission", {
      permission: { name: chromium },
      setting,
      origin: toPageUrl(origin),
    });
  });
  await Promise.all(decided);
}
