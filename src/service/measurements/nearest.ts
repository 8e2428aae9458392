import { failure, success, type Result } from "#shared/service/error.ts";
import { nearestQuerySchema } from "#shared/service/query.ts";
import { formatUtc, type UtcMs } from "#shared/time/utc.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { Exchange } from "../exchange.ts";
import { check, collect } from "../http/parameters.ts";
import { badParameter, type Refusal } from "../http/refusal.ts";
import { sendJson } from "../http/send.ts";
import { entitledStations } from "../organizations.ts";
import { answeredVariables, Pace, requestedStations, rowWire } from "./rows.ts";
import type { WorldStation, World } from "../world/types.ts";
import { selectRows, type Selection } from "./select.ts";
import type { TimeRange } from "#shared/time/range.ts";

/** Length of the first searched range; each further one is four times as long. */
const FIRST_STRETCH_MS = 300_000;
const BLOCK_ROWS = 512;

/** Finds rows of one station next to a moment. Whether a row exists does not depend on the satellite texts. */
interface Finder {
  readonly world: World;
  readonly station: WorldStation;
  readonly selection: Omit<Selection, "range">;
  readonly pace: Pace;
}

/** Time of the last row in the range, or null. Reads backwards from the end, in growing ranges. */
async function lastRow(finder: Finder, range: TimeRange): Promise<UtcMs | null> {
  let stretchMs = FIRST_STRETCH_MS;
  for (let endMs = range.endMs; endMs > range.startMs; endMs -= stretchMs, stretchMs *= 4) {
    let last: UtcMs | undefined;
    const stretch = { startMs: Math.max(range.startMs, endMs - stretchMs), endMs };
    for (const block of rowsIn(finder, stretch)) {
      last = block.timesMs.at(block.count - 1);
      await finder.pace.yieldIfDue();
    }
    if (last !== undefined) return last;
  }
  return null;
}

/** Time of the first row in the range, or null. */
async function firstRow(finder: Finder, range: TimeRange): Promise<UtcMs | null> {
  let stretchMs = FIRST_STRETCH_MS;
  for (let startMs = range.startMs; startMs < range.endMs; startMs += stretchMs, stretchMs *= 4) {
    const stretch = { startMs, endMs: Math.min(range.endMs, startMs + stretchMs) };
    for (const block of rowsIn(finder, stretch)) return block.timesMs[0]!;
    await finder.pace.yieldIfDue();
  }
  return null;
}

function rowsIn({ world, station, selection }: Finder, range: TimeRange) {
  return selectRows(world, station, { ...selection, range }, { blockRows: BLOCK_ROWS, withTexts: false });
}

const NAMES = { once: ["station_ids", "data_vars", "time", "raw"], integers: ["within_seconds"] };

interface Search {
  readonly stations: readonly WorldStation[];
  readonly variables: readonly Variable[];
  /** Null requests the latest. */
  readonly timeMs: UtcMs | null;
  readonly withinMs: number;
  readonly raw: boolean;
}

/** GET /api/v1/measurements/nearest (4.5). */
export async function nearest(exchange: Exchange): Promise<Refusal | null> {
  const search = readSearch(exchange);
  if (!search.ok) return search.error;
  const { stations, variables, timeMs, withinMs, raw } = search.value;
  const { world, nowMs, settings, signal } = exchange;
  const pace = new Pace(signal);
  const data: object[] = [];
  const missing: string[] = [];
  for (const station of stations) {
    const selection = { variables, raw, nowMs, decimals: settings.decimals };
    const finder = { world, station, selection, pace };
    const foundMs =
      timeMs === null
        ? await lastRow(finder, { startMs: nowMs - withinMs, endMs: nowMs + 1 })
        : await nearestRow(finder, timeMs, withinMs);
    if (foundMs === null) {
      missing.push(station.id);
      continue;
    }
    const range = { startMs: foundMs, endMs: foundMs + 1 };
    for (const block of selectRows(world, station, { ...selection, range }, { blockRows: 1 })) {
      data.push(rowWire(station, block, settings));
    }
  }
  exchange.record.rows = data.length;
  const count = data.length + (exchange.faults.find("wrongCount")?.by ?? 0);
  await sendJson(exchange, { time: formatUtc(timeMs ?? nowMs), data, count, missing_station_ids: missing });
  return null;
}

/** The window includes both ends; of two equally near rows the earlier one is used (rule 1). */
async function nearestRow(finder: Finder, timeMs: UtcMs, withinMs: number): Promise<UtcMs | null> {
  const before = await lastRow(finder, { startMs: timeMs - withinMs, endMs: timeMs + 1 });
  // A later row counts only if it is nearer.
  const reachMs = before === null ? withinMs + 1 : timeMs - before;
  const after = await firstRow(finder, { startMs: timeMs + 1, endMs: timeMs + reachMs });
  return after ?? before;
}

function readSearch(exchange: Exchange): Result<Search, Refusal> {
  const { world, organization, search } = exchange;
  const collected = collect(search, NAMES);
  if (!collected.ok) return collected;
  for (const name of ["station_ids", "data_vars"]) {
    if (collected.value[name] === undefined) return failure(badParameter(name, "is required"));
  }
  const { station_ids: ids, data_vars: variables } = collected.value;
  const checked = check(nearestQuerySchema, {
    ...collected.value,
    station_ids: ids === "all" ? ids : cut(String(ids)),
    data_vars: cut(String(variables)),
  });
  if (!checked.ok) return checked;
  const wire = checked.value;
  const stations =
    wire.station_ids === "all"
      ? success(entitledStations(world, organization))
      : requestedStations(exchange, new Set(wire.station_ids.map((id) => id.toLowerCase())));
  if (!stations.ok) return stations;
  return success({
    stations: stations.value,
    variables: answeredVariables(wire.data_vars),
    timeMs: wire.time ?? null,
    withinMs: wire.within_seconds * 1000,
    raw: wire.raw,
  });
}

/** Splits a text at its commas; an empty text has no items. */
function cut(list: string): string[] {
  return list.trim() === "" ? [] : list.split(",").map((item) => item.trim());
}
