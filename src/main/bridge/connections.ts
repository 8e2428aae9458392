import type { connections, OpenedConnection } from "#shared/bridge/connections.ts";
import type { ConnectionInfo } from "#shared/connection.ts";
import type { Handlers } from "#shared/bridge/method.ts";
import { failure, success } from "#shared/service/error.ts";
import { usageFault } from "#shared/fault.ts";
import { type Core, withConnection } from "./core.ts";
import { knownLimit } from "../planner/limits.ts";

export function connectionHandlers(core: Core): Handlers<typeof connections> {
  const { connections: all } = core.app;
  const infoOf = async (id: string): Promise<ConnectionInfo> => (await all.list()).find((c) => c.id === id)!;
  return {
    list: async () => success(await all.list()),
    test: ({ baseUrl, apiKey }, { signal }) => all.test(baseUrl, apiKey, signal),
    async add({ name, baseUrl, apiKey }, { signal }) {
      const answer = await all.add(name, baseUrl, apiKey, signal);
      if (answer.ok) core.events.emit("connectionsChanged", null);
      return answer;
    },
    setKey: () => failure(usageFault("This is not built yet.")),
    rename: () => failure(usageFault("This is not built yet.")),
    async remove({ connectionId }) {
      await all.remove(connectionId);
      core.events.emit("connectionsChanged", null);
      return success(null);
    },
    async demo() {
      const info = await infoOf(all.demo().id);
      core.events.emit("connectionsChanged", null);
      return success(info);
    },
    open: ({ connectionId }) =>
      withConnection(core, connectionId, async ({ cache, session }) =>
        success<OpenedConnection>({
          info: await infoOf(connectionId),
          connectivity: { connectionId, state: "unknown", sinceMs: Date.now(), reason: null },
          quarantinedPath: cache.quarantined,
          limitPoints: knownLimit(session.limits()),
          serverNowMs: session.serverNowMs(),
        }),
      ),
    probe: () => failure(usageFault("This is not built yet.")),
  };
}
