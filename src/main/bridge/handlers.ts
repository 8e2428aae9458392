import type { BridgeHandlers } from "#shared/bridge/contract.ts";
import { availabilityHandlers } from "./availability.ts";
import { cacheHandlers } from "./cache.ts";
import { catalogueHandlers, nearestHandlers } from "./catalogue.ts";
import { compareHandlers } from "./compare.ts";
import { connectionHandlers } from "./connections.ts";
import type { Core } from "./core.ts";
import { exportHandlers } from "./export.ts";
import { figureHandlers } from "./figures.ts";
import { fileHandlers } from "./files.ts";
import { jobHandlers, scheduleHandlers } from "./jobs.ts";
import { productHandlers } from "./products.ts";
import { satelliteHandlers, seriesHandlers } from "./series.ts";
import { releaseHandlers, settingsHandlers } from "./settings.ts";
import { snapshotHandlers } from "./snapshot.ts";
import { viewHandlers } from "./views.ts";
import { idleRecovery, logHandlers, systemHandlers } from "./system.ts";

/** Implements the bridge with the application: each file has the name of the one that declares its methods. */
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
    figures: figureHandlers,
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
