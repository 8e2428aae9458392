import { each, scenario, type Scenario, without } from "../scenario.ts";
import { type Behaviour, json, type Reply, type Row } from "../server.ts";

// Catalogues that become hostile after the connection was added. The commands name the stations that it had.

const stationsOf = (page: Row): Row[] => page["stations"] as Row[];

/** Sends this response to every request for a list of stations. */
const lists = (reply: (page: Row, query: URLSearchParams) => Reply) => (): Behaviour => ({
  catalogue: (path, page, query) => (path.endsWith("/stations") ? reply(page, query) : undefined),
});

const everyStation = (change: (row: Row) => Row) => (): Behaviour => ({
  catalogue: (_, page) => {
    if (page["stations"]) return json({ ...page, stations: stationsOf(page).map(change) });
    return "latitude" in page ? json(change(page)) : undefined;
  },
});

const paged = (totals: object) => (page: Row) =>
  json({ ...page, pagination: { ...(page["pagination"] as object), page: 1, ...totals } });

const LISTS: Readonly<Record<string, (page: Row, query: URLSearchParams) => Reply>> = {
  "204": () => ({ status: 204 }),
  "500": () => ({ status: 500 }),
  "an HTML page": () => ({ headers: { "Content-Type": "text/html" }, body: "<html></html>" }),
  truncated: (page) => ({ body: JSON.stringify(page).slice(0, 400) }),
  "an empty list and a total": (page) => json({ ...page, stations: [] }),
  "a bare list": (page) => json(page["stations"]),
  "every station twice, once without fields": (page) =>
    json({ ...page, stations: stationsOf(page).flatMap((s) => [s, { id: s["id"] }]) }),
  "endless pages of new stations": (page, query) =>
    json({
      stations: [
        stationsOf(page)[0],
        { ...stationsOf(page)[0], id: crypto.randomUUID(), display_name: `New ${query.get("page")}` },
      ],
      pagination: { page: Number(query.get("page")), page_size: 2, total_items: 1e9, total_pages: 1e9 },
    }),
};

const TOTALS: Readonly<Record<string, object>> = {
  "total_items is too large": { total_items: 1_000, total_pages: 5 },
  "total_items is 1e300": { total_items: 1e300, total_pages: 1e300 },
  "a billion pages, each the first": { total_pages: 1e9 },
};

const AHEAD = "2036-01-01T00:00:00.000Z";
const FIELDS: Readonly<Record<string, object>> = {
  ...Object.fromEntries(
    [1e9, 0, -30, "30", null, 86_400].map((resolution_seconds) => [
      `resolution_seconds is ${JSON.stringify(resolution_seconds)}`,
      { resolution_seconds },
    ]),
  ),
  "data_last_updated is null": { data_last_updated: null },
  "data_last_updated is ten years in the future": { data_last_updated: AHEAD },
  "historic_data_from is after data_last_updated": { historic_data_from: AHEAD },
  "both times are invalid": { historic_data_from: "long ago", data_last_updated: "soon" },
  "both times are null": { historic_data_from: null, data_last_updated: null },
  "positions are out of bounds": { latitude: 960, longitude: -1_000 },
  "names are null": { display_name: null },
};

const REFRESHED = {
  words: ["--wait-for-service", "2s"],
  hasOldCatalogue: true,
  expected: "rows",
  mostRequests: 1_100,
} as const;

export const CATALOGUE: readonly Scenario[] = [
  ...each(["catalogue", "as the list"], LISTS, lists, REFRESHED),
  ...each(["catalogue"], TOTALS, (totals) => lists(paged(totals)), { mostRequests: 30 }),
  ...each(["catalogue"], FIELDS, (fields) => everyStation((row) => ({ ...row, ...fields })), REFRESHED),
  scenario(
    "catalogue: both times and resolution_seconds are absent",
    everyStation((row) => without(row, "historic_data_from", "data_last_updated", "resolution_seconds")),
    REFRESHED,
  ),
];
