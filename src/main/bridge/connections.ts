import type { Handlers } from "#shared/bridge/method.ts";
import type { connections, OpenedConnection } from "#shared/bridge/methods/connections.ts";
import { usageFailure } from "#shared/fault.ts";
import { success } from "#shared/service/error.ts";
import { HOUR_MS } from "#shared/time/utc.ts";
import { connectivityOf, probe } from "../app/connections/contact.ts";
import { dataSource } from "../app/exports/dataSource.ts";
import { knownLimit } from "../planner/limits.ts";
import { type Core, onConnection } from "./core.ts";

export function connectionHandlers(core: Core): Handlers<typeof connections> {
  const { connections: all, queue } = core.app;
  const on = onConnection(core);
  /** For keys and settings. What changes the records of user.db is announced by `CacheChanges`. */
  const changed = (): void => core.events.emit("connectionsChanged", null);
  return {
    list: async () => success(await all.list()),
    test: ({ baseUrl, ...entered }, { signal }) => all.test(baseUrl, entered, signal),
    async add({ name, baseUrl, ...entered }, { signal }) {
      const answer = await all.add(name, baseUrl, entered, signal);
      if (!answer.ok) return answer;
      changed();
      queue.keyChanged(answer.value.id);
      return answer;
    },
    async setKey({ connectionId, ...entered }, { signal }) {
      const answer = await all.setKey(connectionId, entered, signal);
      if (!answer.ok) return answer;
      changed();
      queue.keyChanged(connectionId);
      return answer;
    },
    rename: ({ connectionId, name }) => all.rename(connectionId, name),
    settling: ({ connectionId }) => success({ hours: all.settlingMarginMs(connectionId) / HOUR_MS }),
    setSettling({ connectionId, hours }) {
      all.setSettlingMargin(connectionId, hours * HOUR_MS);
      changed();
      return success(null);
    },
    async remove({ connectionId }) {
      await all.remove(connectionId);
      return success(null);
    },
    orphans: () => success(core.app.orphanedCaches()),
    async adopt({ path, ...overrides }) {
      if (!core.app.orphanedCaches().some((cache) => cache.path === path))
        return usageFailure("This cache no longer exists, or has a connection again.");
      const record = core.app.adoptCache(path, overrides);
      return record.ok ? success(await all.info(record.value)) : record;
    },
    demo: async () => success(await all.info(all.demo())),
    files: async () => success(await all.info(all.files())),
    open: on(async (connection, { connectionId }) => {
      const { record, cache, session } = connection;
      // Continues the jobs that ran when the program ended.
      queue.adopt(connectionId);
      return success<OpenedConnection>({
        info: await all.info(record),
        isSimulated: dataSource(connection).isSimulated,
        connectivity: connectivityOf(connectionId, session),
        quarantinedPath: cache.quarantined,
        limitPoints: knownLimit(session.limits()),
        serverNowMs: session.serverNowMs(),
        clocks: session.clockDisagreement(),
      });
    }),
    probe: on((connection, _, { signal }) => probe(connection, signal)),
  };
}
