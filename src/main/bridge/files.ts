import type { files } from "#shared/bridge/methods/files.ts";
import type { Handlers } from "#shared/bridge/method.ts";
import { usageFault } from "#shared/fault.ts";
import { failure, success } from "#shared/service/error.ts";
import type { Core } from "./core.ts";

/** What the dialog offers; what a file is, its first bytes tell. */
const EXTENSIONS = ["nc", "nc4", "cdf", "netcdf", "csv", "zenith"];

export function fileHandlers({ app, ports }: Core): Handlers<typeof files> {
  const { files: open } = app;
  return {
    async choose(_, { windowId }) {
      if (!ports.desktop?.chooseOpenFiles)
        return failure(usageFault("No file dialog is available here. Drop the files on the window."));
      const paths = await ports.desktop.chooseOpenFiles({ extensions: EXTENSIONS }, windowId);
      return success(await open.grant(paths.map((path) => ({ path }))));
    },
    takeOffered: () => success(open.takeOffered()),
    open: ({ grantId }, { signal }) => open.open(grantId, signal),
    list: () => success(open.list()),
    close({ fileId }) {
      open.close(fileId);
      return success(null);
    },
    window: ({ fileId, ...query }, { signal }) => open.windows(fileId, query, signal),
    page: ({ fileId, ...query }, { signal }) => open.page(fileId, query, signal),
  };
}
