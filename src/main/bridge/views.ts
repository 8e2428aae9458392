import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Handlers } from "#shared/bridge/method.ts";
import type { SharedFile, views } from "#shared/bridge/methods/views.ts";
import { usageFailure } from "#shared/fault.ts";
import { portableFileName } from "#shared/file/fileName.ts";
import { success } from "#shared/service/error.ts";
import { deleteCopy } from "../app/files/grants.ts";
import { type Core, onConnection, withConnection } from "./core.ts";

export function viewHandlers(core: Core): Handlers<typeof views> {
  const { app, ports } = core;
  const { sessionFiles, maintenance, files, savedViews } = app;
  let offered: SharedFile[] = [];
  return {
    list: () => success(savedViews.list()),
    damaged: () => success(savedViews.unreadable()),
    save: ({ views: given, replaces }) => savedViews.save(given, replaces),
    rename({ name, to }) {
      const answer = savedViews.edit(name, (view) => ({ ...view, name: to }));
      return answer.ok ? success(null) : answer;
    },
    delete({ name }) {
      savedViews.remove(name);
      return success(null);
    },
    estimateFile: onConnection(core)((connection, selection) => sessionFiles.estimate(connection, selection)),
    writeFile({ connectionId, author, tellsAddress, destination, workId, ...selection }, { signal }) {
      if (destination.kind === "file" && !core.chosenFiles.has(destination.path))
        return usageFailure("Choose the file to write in the system's dialog first.");
      return withConnection(core, connectionId, async (connection) => {
        const id = randomUUID();
        const folder = join(app.downloadFolder, id);
        if (destination.kind === "download") await mkdir(folder, { recursive: true, mode: 0o700 });
        const path =
          destination.kind === "file" ? destination.path : join(folder, portableFileName(basename(destination.name)));
        const about = { author: author === "" ? null : author, tellsAddress };
        let isWritten = false;
        try {
          const answer = await maintenance.run({ workId, connectionId, callerSignal: signal }, (pace) =>
            sessionFiles.save(connection, selection, { ...about, path }, pace),
          );
          if (!answer.ok) return answer;
          isWritten = true;
          const href = destination.kind === "download" ? ports.desktop?.downloadHref?.(id, answer.value.name) : null;
          const shared: SharedFile = { ...answer.value, id, href: href ?? null };
          if (shared.href !== null) offered.push(shared);
          return success(shared);
        } finally {
          if (!isWritten && destination.kind === "download") await rm(folder, { recursive: true, force: true });
        }
      });
    },
    writtenFiles() {
      offered = offered.filter(({ path }) => existsSync(path));
      return success(offered);
    },
    async openFile({ grantId, workId }, { signal }) {
      const granted = files.take(grantId);
      if (!granted) return usageFailure("This file is no longer available. Choose it again.");
      try {
        return await maintenance.run({ workId, connectionId: null, callerSignal: signal }, (pace) =>
          sessionFiles.open(granted.path, granted.name, pace),
        );
      } finally {
        deleteCopy(granted);
      }
    },
  };
}
