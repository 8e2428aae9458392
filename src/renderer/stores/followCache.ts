import { bridge } from "../bridge/index.ts";

/**
 * Calls back whenever what is cached of a connection may have changed: also after the engine was started again, because
 * what came in between was told to no one.
 *
 * @returns ends it
 */
export function followCache(connectionId: string, changed: () => void): () => void {
  const off = [
    bridge.on("cacheChanged", (change) => {
      if (change.connectionId === connectionId) changed();
    }),
    bridge.on("engineRestarted", changed),
  ];
  return () => {
    for (const each of off) each();
  };
}
