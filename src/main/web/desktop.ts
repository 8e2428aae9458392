import type { Desktop } from "../ports.ts";

/** Path prefix of finished files. The window exchanges such a path for a ticket before the download. */
export const DOWNLOAD_PATH = "/download/";

/** The capabilities of a page in a browser, perhaps on another computer: downloads, but no desktop. */
export const webDesktop: Desktop = {
  capabilities: {
    shell: "web",
    fileDialogs: false,
    openFiles: "upload",
    downloads: true,
    showInFolder: false,
    openExternal: false,
    notifications: false,
    newWindow: false,
  },
  components: [],
  downloadHref: (exportId, name) => `${DOWNLOAD_PATH}${encodeURIComponent(exportId)}/${encodeURIComponent(name)}`,
};
