import { defined } from "#shared/defined.ts";
import type { AppFault } from "#shared/fault.ts";
import type { Result } from "#shared/service/error.ts";
import { LIMITS, type NearestAnswer, type NearestQuery, type NearestRow } from "#shared/service/query.ts";
import { ownIntervalMs, type Variable, variableInfo, withImpliedVariables } from "#shared/service/variables.ts";
import { formatUtcShort, type UtcMs } from "#shared/time/utc.ts";
import { command, read } from "../command.ts";
import { CAUSE_WORDS } from "../download/summary.ts";
import { reportingWaits } from "../download/waits.ts";
import { usage } from "../exit.ts";
import { parseTime, RAW, STATIONS, variables as variablesWord } from "../options/options.ts";
import { parseDuration } from "../options/parse.ts";
import { freshCatalogue, namedStations, warnOfRemoved } from "../options/selection.ts";
import { orStop } from "../shell.ts";
import { type Columns, moment, right, shrinking, table } from "../terminal/table.ts";
import { duration } from "../terminal/text.ts";

export const addNearest = command({
  description:
    "Requests the observation of each station that is closest to a moment, or the latest one. The window extends " +
    "to both sides of the moment; without --time, it extends back from now. Stations without an observation in " +
    "the window are listed with the reason. Results are shown, not saved. Delays and water vapour in mm. If the " +
    "nearest observation has no water vapour yet, a second request finds the nearest one that has; it is shown on " +
    "its own line.",
  words: {
    ...STATIONS,
    "--time <time>": read("the moment, UTC (default: now, the latest observation)", parseTime),
    "--within <duration>": read("largest time difference, 60 s to 24 h: 90s, 15m, 6h", parseDuration, "1h"),
    ...variablesWord(),
    ...RAW,
  },
  examples: [
    ["nearest all", "the latest of every station"],
    ["nearest Kallio --time 2026-10-05T12:00:00Z --within 15m", ""],
  ],
  async run(shell, values) {
    const { output } = shell;
    const { min, max } = LIMITS.withinSeconds;
    if (values.within < min || values.within > max) throw usage("--within is 60 s to 24 h.");
    const connection = await shell.connection();
    const catalogue = await freshCatalogue(shell, connection, false);
    const named = namedStations(connection, catalogue, values.stations);
    warnOfRemoved(shell, connection, values.stations);
    const withdrawn = new Set(catalogue.withdrawn.map((s) => s.id));
    const stations = named.filter((s) => !withdrawn.has(s.id));
    const gone = named.filter((s) => withdrawn.has(s.id)).map((s) => s.displayName);
    if (gone.length > 0) {
      const sentence = `No longer listed by the service, so it cannot be requested: ${gone.join(", ")}. Its cached data can still be exported.`;
      if (stations.length === 0) throw usage(sentence);
      output.warn(sentence);
    }
    const app = await shell.app();
    // Satellite values need the satellite identifiers.
    const variables = withImpliedVariables(values.vars);
    const query = {
      stationIds: values.stations.includes("all") ? ("all" as const) : stations.map((s) => s.id),
      variables,
      timeMs: values.time ?? null,
      withinSeconds: values.within,
      raw: values.raw ?? false,
    };
    const request = (nearest: NearestQuery) =>
      reportingWaits(shell, connection, () => app.nearest(connection, nearest, shell.signal));
    const answer = orStop(await request(query));
    const names = new Map(stations.map((s) => [s.id, s.displayName]));
    const { timeMs, missingStationIds, reasons } = answer;
    const water = await waterRows(request, { ...query, timeMs }, answer);
    const rows = [...answer.rows, ...water.rows];
    const remarks = [...new Set([...answer.remarks, ...water.remarks])];
    for (const remark of remarks) output.warn(remark);
    const about = {
      variable: defined(values.vars[0]),
      momentMs: timeMs,
      withinMs: 1_000 * values.within,
      isAnswered: true,
    };
    const mode = { intervalSeconds: null, raw: query.raw, resampled: false };
    const absences = await app.missing(connection, { ...about, mode, stationIds: missingStationIds }, shell.signal);
    const missing = missingStationIds.map((stationId, i) => {
      const station = stations.find((s) => s.id === stationId);
      const reason = reasons[stationId];
      return {
        stationId,
        displayName: station?.displayName ?? stationId,
        ...(reason === undefined ? defined(absences[i]) : { cause: "failed" as const, reason }),
        dataLastUpdatedMs: station?.dataLastUpdatedMs ?? null,
      };
    });
    output.document("nearest", {
      timeMs,
      rows: rows.map((row) => ({ ...row, ageSeconds: (timeMs - row.timeMs) / 1_000 })),
      missingStationIds,
      missing,
      remarks,
    });
    output.print(`Nearest to ${formatUtcShort(timeMs)}, within ${duration(values.within)}:`);
    if (rows.length > 0)
      output.table(rows, {
        Station: shrinking((row) => names.get(row.stationId) ?? row.displayName),
        "Observed (UTC)": moment((row) => row.timeMs, formatUtcShort),
        Age: { cell: (row) => ageText(row.timeMs, timeMs), value: (row) => (timeMs - row.timeMs) / 1_000, unit: "s" },
        ...Object.fromEntries(variables.map(valueColumn)),
      });
    const absent: Columns<(typeof missing)[number]> = {
      "Nothing in this window": shrinking((station) => station.displayName),
      Why: ({ cause, reason }) => (reason === null ? CAUSE_WORDS[cause] : `${CAUSE_WORDS[cause]}: ${reason}`),
      "Newest data (UTC)": ({ dataLastUpdatedMs: lastMs }) =>
        lastMs === null ? "never any" : `${formatUtcShort(lastMs)}, ${ageText(lastMs, timeMs)}`,
    };
    if (missing.length > 0) output.print(["", ...table(missing, absent, output.width)]);
  },
});

function valueColumn(variable: Variable): [title: string, Columns<NearestRow>[string]] {
  const { unit } = variableInfo(variable);
  const value = ({ values }: NearestRow) => values[variable] ?? null;
  return [unit ? `${variable} ${unit}` : variable, { ...right(shrinking((row) => String(value(row) ?? ""))), value }];
}

/**
 * PWV is observed less often than ZTD, so the nearest observation mostly lacks it. Returns the nearest observations with
 * PWV for these stations.
 */
async function waterRows(
  request: (query: NearestQuery) => Promise<Result<NearestAnswer, AppFault>>,
  query: NearestQuery,
  { rows }: NearestAnswer,
): Promise<Pick<NearestAnswer, "rows" | "remarks">> {
  const infrequent = query.variables.filter((v) => ownIntervalMs(v) !== null);
  if (infrequent.length === 0 || infrequent.length === query.variables.length) return NO_ROWS;
  const lacksValue = ({ values }: NearestRow): boolean => infrequent.some((v) => (values[v] ?? null) === null);
  const lacking = new Set(rows.filter(lacksValue).map((row) => row.stationId));
  if (lacking.size === 0) return NO_ROWS;
  const stationIds = query.stationIds === "all" ? query.stationIds : [...lacking];
  const answer = orStop(await request({ ...query, stationIds, variables: infrequent }));
  return { ...answer, rows: answer.rows.filter((row) => lacking.has(row.stationId) && !lacksValue(row)) };
}

const NO_ROWS = { rows: [], remarks: [] };

/** Time from the observation to the moment, worded as in the map: "4 min before". */
function ageText(timeMs: UtcMs, momentMs: UtcMs): string {
  const seconds = (momentMs - timeMs) / 1_000;
  if (seconds === 0) return "at the moment";
  return `${duration(Math.abs(seconds))} ${seconds > 0 ? "before" : "after"}`;
}
