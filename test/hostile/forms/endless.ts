import type { ServerResponse } from "node:http";
import { START_MS, STATIONS, STEP_MS } from "../meant.ts";
import { always, each, scenario, type Scenario, UNUSABLE } from "../scenario.ts";
import { json, type Reply, type Row } from "../server.ts";

// Services that never stop sending. Each download ends with a message.

/** Writes pieces at intervals, or as fast as the client reads, until the connection is closed. */
function pump(response: ServerResponse, write: (n: number) => boolean, everyMs: number): void {
  let n = 0;
  const go = (): void => {
    if (response.destroyed) return;
    const isAccepted = write(n++);
    if (everyMs > 0) setTimeout(go, everyMs);
    else if (isAccepted) setImmediate(go);
    else (response.socket ?? response).once("drain", go);
  };
  go();
}

/** Sends an endless body: a first part, then pieces. */
const body =
  (first: string, piece: (n: number) => string, everyMs = 0, status = 200) =>
  (): Reply => ({
    status,
    send: (response) => pump(response, (n) => response.write(n === 0 ? first : piece(n)), everyMs),
  });

/** Writes to the socket directly, without status and headers. */
const wire =
  (first: string, piece: string, everyMs = 0) =>
  (): Reply => ({
    send: (response) => pump(response, (n) => response.socket?.write(n === 0 ? first : piece) ?? false, everyMs),
  });

const row = (n: number): string =>
  JSON.stringify({
    timestamp: new Date(START_MS + n * STEP_MS).toISOString(),
    station_id: STATIONS[0]!.id,
    display_name: STATIONS[0]!.name,
    ztd: 2_000 + (n % 1_000),
  });
const rows = (n: number, step: number): string =>
  Array.from({ length: 200 }, (_, i) => `,${row((n * 200 + i) * step)}`).join("");
const DATA = '{"data":[';

const RESPONSES: Readonly<Record<string, () => Reply>> = {
  "new rows": body(`${DATA}${row(0)}`, (n) => rows(n, 1)),
  "the same row": body(`${DATA}${row(0)}`, (n) => rows(n, 0)),
  "rows, one a second": body(`${DATA}${row(0)}`, (n) => `,${row(n)}`, 1_000),
  spaces: body(DATA, () => " ".repeat(64_000)),
  "spaces, five a second": body(DATA, () => " ", 200),
  "a list after the data": body('{"data":[],"x":[1', () => ",1".repeat(30_000)),
  "one text": body(`${DATA}{"display_name":"`, () => "y".repeat(64_000)),
  "the text of an error": body("", () => "e".repeat(64_000), 0, 500),
  "the text of a 413, five letters a second": body("", () => "e", 200, 413),
  "no body after the headers": body("", () => "", 1_000),
  headers: wire("HTTP/1.1 200 OK\r\n", `X-Filler: ${"y".repeat(100)}\r\n`, 50),
  "102 Processing": wire("", "HTTP/1.1 102 Processing\r\n\r\n", 20),
  "103 Early Hints, as fast as possible": wire("", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n".repeat(100)),
};

const ENDS = { ...UNUSABLE, prints: /[.!]\s/ } as const;

/** Each page of stations has 200 new ones and announces another page. */
const pages = () => {
  let stations = 0;
  return {
    catalogue: (_path: string, page: Row, query: URLSearchParams): Reply | undefined => {
      if (!page["stations"]) return undefined;
      const at = Number(query.get("page"));
      const some = Array.from({ length: 200 }, () => ({
        ...(page["stations"] as Row[])[0],
        id: `a0b2c3d4-e5f6-4a7b-8c9d-${String(++stations).padStart(12, "0")}`,
        display_name: `S${stations}`,
      }));
      const pagination = { page: at, page_size: 200, total_items: stations + 200, total_pages: at + 1 };
      return json({ stations: some, pagination });
    },
  };
};

export const ENDLESS: readonly Scenario[] = [
  ...each(["endless"], RESPONSES, always, ENDS),
  scenario(
    "endless: redirects, each to another address",
    always((asked) => ({ status: 307, headers: { Location: `/api/v1/measurements/query?n=${asked.nth}` } })),
    ENDS,
  ),
  scenario("endless: pages of new stations", pages, { ...ENDS, hasOldCatalogue: true, mostRequests: 1_100 }),
  scenario("endless: a page of stations", () => ({ catalogue: body('{"stations":[', () => " ".repeat(64_000)) }), {
    ...ENDS,
    hasOldCatalogue: true,
  }),
];
