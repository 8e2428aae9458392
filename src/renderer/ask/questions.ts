import { success } from "#shared/service/error.ts";
import type { StationCoverage } from "#shared/bridge/methods/catalogue.ts";
import type { Variable } from "#shared/service/variables.ts";
import { bridge } from "../bridge/index.ts";
import { question } from "./ask.ts";

/** Rows, coverage and heights; a download without data has verdicts, which explain gaps. */
const DATA = { staleAfter: ["cacheChanged", "jobChanged", "catalogueChanged"] } as const;
/** Sizes, of the list of stations too; they need not be updated for every row that arrives. */
const SIZES = { staleAfter: ["cacheChanged", "catalogueChanged"], restMs: 2_000 } as const;

// Each question to the core with the events after which its answer may be another.

export const gapsOf = question(bridge.series.gaps, DATA);
export const statisticsOf = question(bridge.series.statistics, DATA);
export const pageOf = question(bridge.series.page, DATA);
export const availabilityOf = question(bridge.availability.read, DATA);
export const convergencesOf = question(bridge.availability.convergences, DATA);
export const pairsOf = question(bridge.compare.pairs, DATA);
export const scatterOf = question(bridge.compare.scatter, DATA);
export const stationFiguresOf = question(bridge.compare.stations, DATA);
export const ratesOf = question(bridge.compare.rate, DATA);
export const derivedOf = question(bridge.compare.derived, DATA);
export const comparisonOf = question(bridge.products.compare, DATA);
/** The newest values of all stations at moments. */
export const snapshotsOf = question(bridge.snapshot.read, DATA);
export const absencesOf = question(bridge.snapshot.missing, DATA);

/** The cached share of the time range by station. */
export const sharesOf = question(bridge.catalogue.coverage, DATA);
/** The cached parts of the time range of stations, of all variables together. */
export const stripsOf = question(bridge.catalogue.strips, DATA);

/** The cached parts of the time range for each variable. */
type StripsInput = Parameters<typeof bridge.catalogue.strips>[0];
type VariableStrips = ReadonlyMap<Variable, StationCoverage>;
export const variableStripsOf = question<StripsInput, VariableStrips>(async (input, options) => {
  const strips = new Map<Variable, StationCoverage>();
  for (const variable of input.variables) {
    const answer = await bridge.catalogue.strips({ ...input, variables: [variable] }, options);
    if (!answer.ok) return answer;
    const [strip] = answer.value;
    if (strip) strips.set(variable, strip);
  }
  return success(strips);
}, DATA);

/** The cost grows with time, because new data can be requested and provisional data are requested again. */
export const costOf = question(bridge.jobs.estimate, {
  staleAfter: [...DATA.staleAfter, "jobRemoved"],
  maxAgeMs: 60_000,
});
export const verdictsOf = question(bridge.jobs.verdicts, { staleAfter: ["jobChanged"] });
export const ledgerOf = question(bridge.schedules.ledger, { staleAfter: ["schedulesChanged"] });
export const runsOf = question(bridge.schedules.history, { staleAfter: ["schedulesChanged"] });
/** The newest lines when the log is opened. */
export const logOf = question(bridge.log.read, { staleAfter: [] });

/** The saved views of all connections, sorted by name, and the names of unreadable ones. */
export const viewsOf = question(bridge.views.list, { staleAfter: ["viewsChanged"], restMs: 0 });
export const damagedViewsOf = question(bridge.views.damaged, { staleAfter: ["viewsChanged"], restMs: 0 });
/** The saved exports of all connections, sorted by name; removing a connection removes its own. */
export const savedExportsOf = question(bridge.export.saved, {
  staleAfter: ["savedExportsChanged", "connectionsChanged"],
  restMs: 0,
});
/** The schedules of all connections, by name. */
export const schedulesOf = question(bridge.schedules.list, {
  staleAfter: ["schedulesChanged", "connectionsChanged"],
  restMs: 0,
});

/** The version of the application and the location of its data. */
export const aboutOf = question(bridge.system.about, { staleAfter: [] });

/** The file that an export would write. */
export const forecastOf = question(bridge.export.estimate, { staleAfter: ["cacheChanged"] });
/** The size of a session file. */
export const sessionForecastOf = question(bridge.views.estimateFile, { staleAfter: ["cacheChanged"] });
/** Caches in the data folder that belong to no connection. */
export const orphansOf = question(bridge.connections.orphans, { staleAfter: ["connectionsChanged"], restMs: 0 });
/** Damaged files of a cache. */
export const quarantineOf = question(bridge.cache.quarantine, SIZES);
export const settlingOf = question(bridge.connections.settling, { staleAfter: ["connectionsChanged"] });
export const maximumSizeOf = question(bridge.cache.maximumSize, SIZES);
export const cacheSizeOf = question(bridge.cache.statistics, SIZES);
export const stationSizesOf = question(bridge.cache.stations, SIZES);
