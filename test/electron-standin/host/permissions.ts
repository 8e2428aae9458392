import { originOf, toPageUrl } from "./address.ts";
import type { Session } from "./cdp.ts";

type RequestHandler = (
  contents: never,
  permission: string,
  callback: (granted: boolean) => void,
  details: object,
) => void;
type CheckHandler = (contents: never, permission: string, origin: string, details: object) => boolean;

/** Names of permissions in Chromium and Electron. */
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
 * Calls the handlers once for each permission before a page is loaded, and sets the results in Chromium, which cannot
 * ask while a page runs. Without handlers, everything is granted, as in Electron.
 */
export async function decidePermissions(url: string, browser: Session): Promise<void> {
  const origin = originOf(url);
  const contents = { getURL: () => url } as never;
  const details = { requestingUrl: url, isMainFrame: true };
  const decided = Object.entries(PERMISSIONS).map(([chromium, electron]) => {
    const mayRequest = permissionHandlers.check?.(contents, electron, `${origin}/`, details) ?? true;
    let granted = permissionHandlers.request === null;
    permissionHandlers.request?.(contents, electron, (answer) => void (granted = answer), details);
    const setting = mayRequest && granted ? "granted" : "denied";
    return browser.send("Browser.setPermission", {
      permission: { name: chromium },
      setting,
      origin: toPageUrl(origin),
    });
  });
  await Promise.all(decided);
}
