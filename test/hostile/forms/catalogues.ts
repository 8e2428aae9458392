import { DAY_MS, HOUR_MS, isObserved, START_MS } from "../meant.ts";
import { scenario, type Scenario, without } from "../scenario.ts";
import { type Behaviour, json, type Reply, type Row } from "../server.ts";

// Catalogues that become hostile after the connection was added.

type Page = Record<string, unknown>;

const stationsOf = (page: Page): Row[] | null => (page["stations"] as Row[] | undefined) ?? null;

/** Sends this response to every request for a list of stations. */
const lists = (reply: (page: Page, query: URLSearchParams) => Reply) => (): Behaviour => ({
  catalogue: (path, page, query) => (path.endsWith("/stations") ? reply(page, query) : undefined),
});

const everyStation = (change: (row: Row) => Row) => (): Behaviour => ({
  catalogue: (_, page) => {
    const stations = stationsOf(page);
    if (stations !== null) return json({ ...page, stations: stations.map(change) });
    return "latitude" in page ? json(change(page)) : undefined;
  },
});

let firstPage: Row[] | null = null;

const LISTS: readonly (readonly [string, (page: Page, query: URLSearchParams) => Reply])[] = [
  ["204", () => ({ status: 204 })],
  ["an empty list and an error", (page) => json({ ...page, stations: [], error: "store is down" })],
  ["an empty list and a total", (page) => json({ ...page, stations: [] })],
  ["null", (page) => json({ ...page, stations: null })],
  ["no pagination", (page) => json({ stations: page["stations"] })],
  ["a bare list", (page) => json(page["stations"])],
  ["an HTML page", () => ({ headers: { "Content-Type": "text/html" }, body: "<html></html>" })],
  ["500", () => ({ status: 500 })],
  ["404", () => ({ status: 404 })],
  ["truncated", (page) => ({ body: JSON.stringify(page).slice(0, 400) })],
  ["every station twice", (page) => json({ ...page, stations: [...stationsOf(page)!, ...stationsOf(page)!] })],
  [
    "every station twice, once without fields",
    (page) => json({ ...page, stations: stationsOf(page)!.flatMap((s) => [s, { id: s["id"] }]) }),
  ],
  [
    "ids in another spelling",
    (page) =>
      json({ ...page, stations: stationsOf(page)!.map((s) => ({ ...s, id: `{${String(s["id"]).toUpperCase()}}` })) }),
  ],
  [
    "endless pages of new stations",
    (page, query) =>
      json({
        stations: stationsOf(page)!
          .slice(0, 1)
          .concat({ ...stationsOf(page)![0], id: crypto.randomUUID(), display_name: `New ${query.get("page")}` }),
        pagination: { page: Number(query.get("page")), page_size: 2, total_items: 1e9, total_pages: 1e9 },
      }),
  ],
  [
    "pages of one station",
    (page, query) => {
      const all = firstPage ?? stationsOf(page) ?? [];
      firstPage = all;
      const nth = Number(query.get("page") ?? 1);
      return json({
        stations: all.slice(nth - 1, nth),
        pagination: { page: nth, page_size: 1, total_items: 4, total_pages: 4 },
      });
    },
  ],
];

const FIELDS: readonly (readonly [string, (row: Row) => Row])[] = [
  ["data_last_updated is null", (row) => ({ ...row, data_last_updated: null })],
  ["data_last_updated is ten years in the past", (row) => ({ ...row, data_last_updated: "2016-01-01T00:00:00.000Z" })],
  ["data_last_updated is a number", (row) => ({ ...row, data_last_updated: 1_773_100_800 })],
  [
    "data_last_updated is ten years in the future",
    (row) => ({ ...row, data_last_updated: "2036-01-01T00:00:00.000Z" }),
  ],
  ["data_last_updated is invalid", (row) => ({ ...row, data_last_updated: "soon" })],
  ["historic_data_from is null", (row) => ({ ...row, historic_data_from: null })],
  ["historic_data_from is a date without time", (row) => ({ ...row, historic_data_from: "2026-01-01" })],
  ["historic_data_from is invalid", (row) => ({ ...row, historic_data_from: "long ago" })],
  [
    "historic_data_from is after data_last_updated",
    (row) => ({ ...row, historic_data_from: "2036-01-01T00:00:00.000Z" }),
  ],
  ["both are null", (row) => ({ ...row, historic_data_from: null, data_last_updated: null })],
  ["both are absent", (row) => without(row, "historic_data_from", "data_last_updated")],
  ["positions are texts", (row) => ({ ...row, latitude: "60.5", longitude: "24.5" })],
  ["positions are out of bounds", (row) => ({ ...row, latitude: 960, longitude: -1_000 })],
  ["resolution_seconds is absent", (row) => without(row, "resolution_seconds")],
  ["resolution_seconds is an object", (row) => ({ ...row, resolution_seconds: { value: 30 } })],
  ["resolution_seconds is 86400", (row) => ({ ...row, resolution_seconds: 86_400 })],
  ["resolution_seconds is 3600", (row) => ({ ...row, resolution_seconds: 3_600 })],
  ["resolution_seconds is 1", (row) => ({ ...row, resolution_seconds: 1 })],
  ["names are null", (row) => ({ ...row, display_name: null })],
  ["source_type is unknown", (row) => ({ ...row, source_type: "balloon" })],
];

const REFRESHED = {
  words: ["--wait-for-service", "2s"],
  hasOldCatalogue: true,
  expected: "rows",
  mostRequests: 1_100,
} as const;

/** The commands name the stations, which the cached catalogue contains. */
export const CATALOGUES: readonly Scenario[] = [
  ...LISTS.map(([form, reply]) => scenario(`catalogue: the list is ${form}`, lists(reply), REFRESHED)),
  ...FIELDS.map(([form, change]) => scenario(`catalogue: ${form}`, everyStation(change), REFRESHED)),
];

// Clocks. The requested day ends with the start of the current hour.

const nowMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
const recentMs = nowMs - DAY_MS;

/** The service has no data after the current hour began. */
const upToNow =
  (more: Partial<Behaviour> = {}) =>
  (): Behaviour => ({
    series: (asked) => {
      const rows = asked.rows().filter((row) => Date.parse(row["timestamp"] as string) < nowMs);
      return json({ data: rows, count: rows.length });
    },
    ...more,
  });

const RECENT = {
  startMs: recentMs,
  expected: "rows",
  means: (station: number, timeMs: number) => timeMs < nowMs && isObserved(station, timeMs),
} as const;

/** Changes the clock of the program by this number of days. */
const clockOff = (days: number) => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(
    `const D=Date,by=${days * DAY_MS};globalThis.Date=class extends D{constructor(...a){if(a.length)super(...a);else super(D.now()+by)}static now(){return D.now()+by}}`,
  )}`,
});

const OFFS = [-3_650, -3, -0.25, 0.25, 3, 3_650];

export const CLOCKS: readonly Scenario[] = [
  scenario("clocks: correct, the day up to now", upToNow(), RECENT),
  ...[0, 1].map((parity) =>
    scenario(
      `clocks: every second Date three days in the past, the ${parity ? "odd" : "even"}, the day up to now`,
      upToNow({ date: (nth) => Date.now() - (nth % 2 === parity ? 3 * DAY_MS : 0) }),
      RECENT,
    ),
  ),
  ...OFFS.map((days) =>
    scenario(
      `clocks: every Date off by ${days} days, the day up to now`,
      upToNow({ date: () => Date.now() + days * DAY_MS }),
      RECENT,
    ),
  ),
  ...OFFS.map((days) =>
    scenario(`clocks: this computer off by ${days} days, the day up to now`, upToNow(), {
      ...RECENT,
      environment: clockOff(days),
    }),
  ),
  ...OFFS.map((days) =>
    scenario(`clocks: this computer off by ${days} days, a past day`, () => ({}), { environment: clockOff(days) }),
  ),
  scenario("clocks: this computer off by 3 days, no Date, the day up to now", upToNow({ date: () => null }), {
    ...RECENT,
    environment: clockOff(3),
  }),
  scenario("clocks: this computer off by -3 days, no Date, the day up to now", upToNow({ date: () => null }), {
    ...RECENT,
    environment: clockOff(-3),
  }),
  scenario(
    "clocks: Date is always the first of January, the day up to now",
    upToNow({ date: () => Date.UTC(2026, 0, 1) }),
    RECENT,
  ),
  scenario(
    "clocks: Date in another format, the day up to now",
    upToNow({ date: () => new Date().toISOString() }),
    RECENT,
  ),
  scenario("clocks: Date without GMT", upToNow({ date: () => new Date().toUTCString().replace(" GMT", "") }), RECENT),
  scenario("clocks: a Date of the year 0", () => ({ date: () => "Mon, 01 Jan 0000 00:00:00 GMT" })),
  scenario("clocks: a Date of the year 9999", () => ({ date: () => "Fri, 31 Dec 9999 23:59:59 GMT" })),
  scenario(
    "clocks: Dates that jump at random, a past day",
    () => ({
      date: (nth) => START_MS + ((nth * 7_919) % 1_000) * DAY_MS,
    }),
    { expected: "later" },
  ),
];
