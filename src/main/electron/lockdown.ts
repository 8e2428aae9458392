import { app, session } from "electron";
import { isAllowed, isOwnDownload, isOwnReload } from "./permissions.ts";
import { PAGE_ORIGIN } from "./sender.ts";

/**
 * Takes from every page what this program's page does not need: to go anywhere, to open anything, to use devices. Holds
 * for all contents there will ever be, also for those that no one meant to make. Called when the application is ready.
 */
export function lockDown(): void {
  const { defaultSession } = session;
  defaultSession.setPermissionRequestHandler((contents, permission, callback) =>
    callback(isAllowed(permission, contents.getURL(), PAGE_ORIGIN)),
  );
  defaultSession.setPermissionCheckHandler((_, permission, origin) => isAllowed(permission, origin, PAGE_ORIGIN));
  defaultSession.setDevicePermissionHandler(() => false);
  // Its dictionaries would be fetched from a network.
  defaultSession.setSpellCheckerEnabled(false);
  defaultSession.on("will-download", (event, item) => {
    if (!isOwnDownload(item.getURL(), PAGE_ORIGIN)) event.preventDefault();
  });

  app.on("web-contents-created", (_, contents) => {
    contents.setWindowOpenHandler(() => ({ action: "deny" }));
    // A page that loads itself again asks like one that leaves.
    const stay = (event: { readonly url: string; readonly isMainFrame: boolean; preventDefault(): void }): void => {
      if (!isOwnReload(event, contents.getURL(), PAGE_ORIGIN)) event.preventDefault();
    };
    contents.on("will-navigate", stay);
    contents.on("will-frame-navigate", stay);
    contents.on("will-redirect", (event) => event.preventDefault());
    contents.on("will-attach-webview", (event) => event.preventDefault());
  });
}
