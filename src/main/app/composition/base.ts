import { join } from "node:path";
import { makeDataFolder } from "../../dataFolder.ts";
import { log, startLog } from "../../log/index.ts";
import type { Ports } from "../../ports.ts";
import { VERSION } from "../../program.ts";
import { openUserStore } from "../../store/index.ts";
import { systemClock } from "../../sync/clock.ts";
import { Events } from "../events.ts";
import { savedViewsIn } from "../namedRecords.ts";
import { SettingsStore } from "../settings.ts";
import { createGuardedWrite, OwnFiles } from "../storage/ownFiles.ts";
import { Workload } from "../workload.ts";

/**
 * Opens what all parts of the application share.
 *
 * @throws StoreError if `user.db` cannot be opened
 */
export function openBase(ports: Ports) {
  const { dataFolder } = ports;
  makeDataFolder(dataFolder);
  startLog(dataFolder, ports.desktop === undefined ? "command" : "core");
  log.info(`Zenith Desk ${VERSION} opens ${dataFolder} (Node.js ${process.versions.node}, ${process.platform})`);
  const users = openUserStore(join(dataFolder, "user.db"));
  const clock = ports.clock ?? systemClock;
  const settings = new SettingsStore(users);
  const ownFiles = new OwnFiles(users, dataFolder);
  return {
    ports,
    dataFolder,
    users,
    clock,
    settings,
    events: new Events(),
    workload: new Workload(ports.desktop, clock, () => settings.read().notify),
    savedViews: savedViewsIn(users),
    ownFiles,
    writeGuarded: createGuardedWrite(ownFiles),
  };
}

export type Base = ReturnType<typeof openBase>;
