import type { DataSource } from "#formats/source.ts";
import type { OpenConnection } from "../connections/connections.ts";
import type { Cache } from "../../store/index.ts";

/** Setting of a cache with data from a session file of the demo. */
const SIMULATED = "simulated";

/** Stores that the data of an opened session file are those of the demo. @throws StoreError */
export function markSimulated(cache: Pick<Cache, "setSetting">): void {
  cache.setSetting(SIMULATED, "true");
}

/** Where the data of a connection come from, for files. */
export function dataSource({ record, session, cache }: OpenConnection): DataSource {
  // The address of the demo changes with every start, and its values must not pass for observations.
  if (record.kind === "demo" || cache.setting(SIMULATED) !== null)
    return { service: "Zenith Desk demo", isSimulated: true };
  // A session file may withhold the address.
  return { service: session.client.origin || "unknown", isSimulated: false };
}
