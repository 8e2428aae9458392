import { app, session } from "electron";
import { isAllowed, isOwnDownload, isOwnReload } from "./permissions.ts";

/**
 * Denies pages everything that this program's page does not need: navigation, new windows, devices. Applies to all web
 * contents, including unintended ones. Called when the application is ready.
 */
export function lockDown(): void {
  const { defaultSession } = session;
  defaultSession.setPermissionRequestHandler((contents, permission, callback) =>
    callback(isAllowed(permission, contents.getURL())),
  );
  defaultSession.setPermissionCheckHandler((_, permission, origin) => isAllowed(permission, origin));
  defaultSession.setDevicePermissionHandler(() => false);
  // Its dictionaries would be downloaded.
  defaultSession.setSpellCheckerEnabled(false);
  defaultSession.on("will-download", (event, item) => {
    if (!isOwnDownload(item.getURL())) event.preventDefault();
  });

  app.on("web-contents-created", (_, contents) => {
    contents.setWindowOpenHandler(() => ({ action: "deny" }));
    // A reload triggers the same events as navigation.
    const stay = (event: { readonly url: string; readonly isMainFrame: boolean; preventDefault(): void }): void => {
      if (!isOwnReload(event, contents.getURL())) event.preventDefault();
    };
    contents.on("will-navigate", stay);
    contents.on("will-frame-navigate", stay);
    contents.on("will-redirect", (event) => event.preventDefault());
    contents.on("will-attach-webview", (event) => event.preventDefault());
  });
}
