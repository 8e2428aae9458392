import type { BridgeHandlers } from "#shared/bridge/contract.ts";
import { availabilityHandlers } from "./availability.ts";
import { cacheHandlers } from "./cache.ts";
import { catalogueHandlers } from "./catalogue.ts";
import { compareHandlers } from "./compare.ts";
import { connectionHandlers } from "./connections.ts";
import type { Core } from "./core.ts";
import { exportHandlers } from "./export.ts";
import { fileHandlers } from "./files.ts";
import { jobHandlers } from "./jobs.ts";
import { logHandlers } from "./log.ts";
import { nearestHandlers } from "./nearest.ts";
import { productHandlers } from "./products.ts";
import { idleRecovery } from "./recovery.ts";
import { releaseHandlers } from "./releases.ts";
import { satelliteHandlers } from "./satellites.ts";
import { scheduleHandlers } from "./schedules.ts";
import { seriesHandlers } from "./series.ts";
import { settingsHandlers } from "./settings.ts";
import { snapshotHandlers } from "./snapshot.ts";
import { systemHandlers } from "./system.ts";
import { viewHandlers } from "./views.ts";

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
