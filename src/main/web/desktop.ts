import type { Desktop } from "../ports.ts";

/** First part of the paths under which finished files are offered; what follows is exchanged for a ticket before it is asked for. */
export const DOWNLOAD_PATH = "/download/";

/** A page in some browser, perhaps on another computer: files are downloaded, and there is no desktop to show them on. */
export const webDesktop: Desktop = {
  capabilities: {
    shell: "web",
    fileDialogs: false,
    openFiles: "upload",
    downloads: true,
    showInFolder: false,
    openExternal: false,
    notifications: false,
    nativeMenus: false,
    newWindow: false,
  },
  components: [],
  downloadHref: (exportId, name) => `${DOWNLOAD_PATH}${encodeURIComponent(exportId)}/${encodeURIComponent(name)}`,
};
