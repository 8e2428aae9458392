import type { BridgeHandlers } from "#shared/bridge/contract.ts";
import { availabilityHandlers, satelliteHandlers, seriesHandlers, snapshotHandlers } from "./reading.ts";
import { cacheHandlers } from "./cache.ts";
import { catalogueHandlers, connectionHandlers, nearestHandlers } from "./connections.ts";
import { compareHandlers, productHandlers } from "./compare.ts";
import type { Core } from "./core.ts";
import { exportHandlers, jobHandlers, scheduleHandlers } from "./jobs.ts";
import { fileHandlers, viewHandlers } from "./views.ts";
import { idleRecovery, logHandlers, releaseHandlers, settingsHandlers, systemHandlers } from "./system.ts";

/** Implements the bridge with the application: a file per domain, as in the contract. */
export function createHandlers(core: Core): BridgeHandlers {
  return {
    connections: connectionHandlers(core),
    catalogue: catalogueHandlers(core),
    jobs: jobHandlers(core),
    series: seriesHandlers(core),
    availability: availabilityHandlers(core),
    satellites: satelliteHandlers(core),
    snapshot: snapshotHandlers(core),
    compare: compareHandlers(core),
    products: productHandlers(core),
    nearest: nearestHandlers(core),
    export: exportHandlers(core),
    schedules: scheduleHandlers(core),
    files: fileHandlers(core),
    cache: cacheHandlers(core),
    settings: settingsHandlers(core),
    views: viewHandlers(core),
    log: logHandlers(core.ports.dataFolder),
    recovery: idleRecovery(core.ports.dataFolder),
    releases: releaseHandlers(core),
    system: systemHandlers(core),
  };
}
