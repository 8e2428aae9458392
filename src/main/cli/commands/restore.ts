import { join } from "node:path";
import { formatUtcShort } from "#shared/time/utc.ts";
import { checkedBackups, dropDamagedRecords, restoreUsers } from "../../store/index.ts";
import { command } from "../command.ts";
import { EXIT, Stop, usage } from "../exit.ts";
import { userPath } from "../options/paths.ts";
import { amount, moment, shrinking } from "../terminal/table.ts";
import { many } from "../terminal/text.ts";

const NONE_READABLE = "No backup can be read now: see the reasons above. Nothing was changed.";

export const addRestore = command({
  description:
    "Connections, views, saved exports, schedules, settings and jobs are stored in one file, user.db, which is backed " +
    "up before the first change of a day and when a program ends after changes, for seven such days. Without an argument, lists the backups. Keys and " +
    "measurements are stored elsewhere and are not touched.",
  words: {
    "[backup]": "“newest”, or the file of a backup",
    "--drop-damaged": "instead remove damaged records from the current file, and keep a copy of it",
  },
  examples: [
    ["restore", "lists the backups"],
    ["restore newest", "restores the latest, and keeps the current file"],
    ["restore --drop-damaged", "removes records that are reported as damaged"],
  ],
  async run(shell, { backup, dropDamaged }) {
    const { output, dataFolder } = shell;
    const path = join(dataFolder, "user.db");
    if (dropDamaged) {
      if (backup !== undefined) throw usage("Use a backup or --drop-damaged, not both.");
      const done = dropDamagedRecords(path);
      output.document("restore", { dropped: done?.dropped ?? [], keptAt: done?.keptAt ?? null });
      output.print(
        done === null
          ? "No record is damaged. Nothing was changed."
          : `Removed: ${done.dropped.join(", ")}. A copy of the file is at ${done.keptAt}.`,
      );
      return;
    }
    const listed = () => {
      const found = checkedBackups(path);
      for (const { reason } of found.unreadable) output.warn(`This backup cannot be restored. ${reason}`);
      const isNoneReadable = found.backups.length === 0 && found.unreadable.length > 0;
      return { ...found, isNoneReadable };
    };
    if (backup === undefined) {
      const { backups, unreadable, isNoneReadable } = listed();
      output.document("restore", { backups, unreadable });
      if (isNoneReadable) throw new Stop(EXIT.disk, NONE_READABLE);
      return output.table(
        backups,
        {
          "Made (UTC)": moment((b) => b.madeAtMs, formatUtcShort),
          Connections: amount((b) => b.connections),
          Jobs: amount((b) => b.jobs),
          Damaged: amount((b) => b.damagedRecords),
          File: shrinking((b) => b.path),
        },
        "There is no backup yet.",
      );
    }
    let chosen = "";
    let connections = 0;
    const previousPath = restoreUsers(path, () => {
      const { backups, isNoneReadable } = listed();
      const newest = backups[0]?.path;
      if (backup === "newest" && newest === undefined)
        throw isNoneReadable ? new Stop(EXIT.disk, NONE_READABLE) : usage("There is no backup yet.");
      chosen = backup === "newest" ? (newest ?? "") : userPath(backup);
      connections = backups.find((b) => b.path === chosen)?.connections ?? 0;
      return chosen;
    });
    output.document("restore", { restored: chosen, putAsideAt: previousPath });
    output.print(
      `Restored ${connections > 0 ? `${many(connections, "connection")} from ` : ""}${chosen}.` +
        (previousPath === null ? "" : ` The previous file is now at ${previousPath}.`),
    );
  },
});
