import { rmSync } from "node:fs";
import { createReleaseWatch } from "./app/releases.ts";
import type { App } from "./app/application.ts";
import { closeAll } from "./app/closing.ts";
import { openBase } from "./app/composition/base.ts";
import { createConnections } from "./app/composition/connections.ts";
import { createReading } from "./app/composition/reading.ts";
import { createSchedules, createWork } from "./app/composition/work.ts";
import { createStorage } from "./app/composition/storage.ts";
import { shareWarning } from "./dataFolder.ts";
import { createHandlers } from "./bridge/handlers.ts";
import { serveChannel } from "./bridge/serve.ts";
import { log } from "./log/index.ts";
import type { Ports } from "./ports.ts";
import type { UserStore } from "./store/index.ts";

export type { App } from "./app/application.ts";

/** Maximum number of damaged records in a sentence. */
const MAX_NAMED = 10;

/**
 * Creates the application with the ports of a shell. Opens `user.db` at once, and caches with their connections.
 *
 * @throws StoreError if `user.db` cannot be opened
 */
export function createApp(ports: Ports): App {
  const base = openBase(ports);
  const { users, events } = base;
  const { changes, ...connecting } = createConnections(base, {
    onCommit: (connectionId) => storage.maximumSizes.note(connectionId),
    async beforeRemove(connectionId) {
      await work.queue.drop(connectionId);
      await work.exportTasks.drop(connectionId);
      await storage.maintenance.stop(connectionId);
    },
  });
  const { connections } = connecting;
  const work = createWork(base, connections);
  const storage = createStorage(base, connections, work);
  const reading = createReading(base);
  const scheduling = createSchedules(base, connections, work, reading.figure);
  const { schedules } = scheduling;
  let wake: Promise<() => void> | null = null;
  const app: App = {
    settings: base.settings,
    savedViews: base.savedViews,
    checkRelease: createReleaseWatch(users, ports.transport, base.clock),
    warnings: warningsOf(users, base.dataFolder),
    ...connecting,
    ...work,
    ...storage,
    ...scheduling,
    ...reading,
    hasWritten: (path) => work.exportTasks.hasWritten(path) || schedules.store.hasWritten(path),
    serve(channel, windowId) {
      // Not when the application is created, because a command must not delete downloads of a window.
      void work.exportTasks.sweep();
      schedules.begin();
      changes.follow(() => connections.opened(), users);
      serveChannel(handlers, events, channel, windowId);
    },
    async suspend() {
      wake ??= sleep();
      await wake;
    },
    async resume() {
      const waking = await wake;
      wake = null;
      waking?.();
    },
    async close() {
      await closeAll(
        () => schedules.close(),
        () => work.queue.close(),
        () => work.exportTasks.close(),
        () => storage.files.closeAll(),
        () => storage.maintenance.stopAll(),
        () => storage.maximumSizes.stop(),
        () => changes.stop(),
        () => base.workload.stop(),
        () => connections.close(),
        () => users.close(),
        // A disk that cannot be written has downloads in a temporary folder.
        () => users.refusal !== null && rmSync(work.downloadFolder, { recursive: true, force: true }),
      );
      log.info("closed");
    },
  };
  const handlers = createHandlers({ app, ports, events, chosenFiles: new Set() });
  return app;

  async function sleep(): Promise<() => void> {
    const resumesSchedules = schedules.rest();
    const resume = await work.queue.suspend(null);
    return () => {
      resume();
      if (resumesSchedules) schedules.begin();
    };
  }
}

/** Sentences about the data folder and the records in it. */
function warningsOf({ refusal, damage }: UserStore, dataFolder: string): string[] {
  const share = shareWarning(dataFolder);
  return [
    ...(refusal === null ? [] : [refusal.message]),
    ...(share === null ? [] : [`${share} --data-folder names another folder.`]),
    ...(damage.length === 0 ? [] : [damageSentence(damage)]),
  ];
}

function damageSentence(damage: readonly string[]): string {
  const named = damage.slice(0, MAX_NAMED).join(", ");
  const more = damage.length > MAX_NAMED ? `, and ${damage.length - MAX_NAMED} more` : "";
  return (
    `Damaged records in user.db are not used: ${named}${more}. Delete or save them again, restore a backup with “zenith ` +
    "restore newest”, or remove them with “zenith restore --drop-damaged”. Until then, no new backup is made."
  );
}
