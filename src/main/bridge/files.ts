import type { Handlers } from "#shared/bridge/method.ts";
import type { files } from "#shared/bridge/methods/files.ts";
import { usageFailure } from "#shared/fault.ts";
import { OPENED_EXTENSIONS } from "#shared/file/opened.ts";
import { success } from "#shared/service/error.ts";
import type { Core } from "./core.ts";

const EXTENSIONS = [...OPENED_EXTENSIONS, "zenith"];

export function fileHandlers({ app, ports }: Core): Handlers<typeof files> {
  const { files: open } = app;
  return {
    async choose({ isFolder = false }, { windowId }) {
      if (!ports.desktop?.chooseOpenFiles)
        return usageFailure("No file dialog is available here. Drop the files on the window.");
      const paths = await ports.desktop.chooseOpenFiles({ extensions: EXTENSIONS, isFolder }, windowId);
      return success(await open.grant(paths.map((path) => ({ path }))));
    },
    recent: async () => success(await open.recent.list()),
    async openRecent({ recentId }) {
      const path = open.recent.pathOf(recentId);
      const [granted] = path === null ? [] : await open.grant([{ path }]);
      return granted ? success(granted) : usageFailure("This file no longer exists. Choose it again.");
    },
    clearRecent() {
      open.recent.clear();
      return success(null);
    },
    takeOffered: () => success(open.takeOffered()),
    open: ({ grantId }, { signal }) => open.open(grantId, signal),
    chooseColumns: ({ fileId, columns }, { signal }) => open.chooseColumns(fileId, columns, signal),
    list: () => success(open.list()),
    close({ fileId }) {
      open.close(fileId);
      return success(null);
    },
    window: ({ fileId, ...query }, { signal }) => open.request("windows", fileId, query, signal),
    page: ({ fileId, ...query }, { signal }) => open.page(fileId, query, signal),
    rowOrder: ({ fileId, ...query }, { signal }) => open.request("rowOrder", fileId, query, signal),
    rowsAt: ({ fileId, ...query }, { signal }) => open.request("rowsAt", fileId, query, signal),
  };
}
