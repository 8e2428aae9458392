import type { ServerResponse } from "node:http";
import { START_MS, STATIONS, STEP_MS } from "../meant.ts";
import { always, scenario, type Scenario } from "../scenario.ts";
import { json, type Reply, type Row } from "../server.ts";

// Services that never come to an end. Each download ends all the same, with a sentence.

/** Writes piece after piece, as fast as they are taken or one at a time, until the connection is closed. */
function pump(response: ServerResponse, write: (n: number) => boolean, everyMs: number): void {
  let n = 0;
  const go = (): void => {
    if (response.destroyed) return;
    const isTaken = write(n++);
    if (everyMs > 0) setTimeout(go, everyMs);
    else if (isTaken) setImmediate(go);
    else (response.socket ?? response).once("drain", go);
  };
  go();
}

/** A body without an end: what comes first, and what then. */
const body =
  (first: string, piece: (n: number) => string, everyMs = 0, status = 200) =>
  (): Reply => ({
    status,
    send: (response) => pump(response, (n) => response.write(n === 0 ? first : piece(n)), everyMs),
  });

/** Bytes on the connection itself, before any head. */
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

const ANSWERS: readonly (readonly [string, () => Reply])[] = [
  ["new rows", body(`${DATA}${row(0)}`, (n) => rows(n, 1))],
  ["the same row", body(`${DATA}${row(0)}`, (n) => rows(n, 0))],
  ["rows, one a second", body(`${DATA}${row(0)}`, (n) => `,${row(n)}`, 1_000)],
  ["spaces", body(DATA, () => " ".repeat(64_000))],
  ["spaces, five a second", body(DATA, () => " ", 200)],
  ["a list beside the data", body('{"data":[],"x":[1', () => ",1".repeat(30_000))],
  ["one text", body(`${DATA}{"display_name":"`, () => "y".repeat(64_000))],
  ["an error's text", body("", () => "e".repeat(64_000), 0, 500)],
  ["a refusal's text, five letters a second", body("", () => "e", 200, 413)],
  ["nothing after the head", body("", () => "", 1_000)],
  ["a head", wire("HTTP/1.1 200 OK\r\n", `X-Filler: ${"y".repeat(100)}\r\n`, 50)],
  ["102 Processing", wire("", "HTTP/1.1 102 Processing\r\n\r\n", 20)],
  ["103 Early Hints, as fast as can be", wire("", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n".repeat(100))],
];

const ENDS = {
  expected: "any",
  isLong: true,
  words: ["--wait-for-service", "10s"],
  mostRequests: 320,
  says: /[.!]\s/,
} as const;

/** Each page of stations brings 200 new ones, and there is one more. */
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
  ...ANSWERS.map(([form, reply]) => scenario(`endless: ${form}`, always(reply), ENDS)),
  scenario(
    "endless: redirects, each to another address of its own",
    always((asked) => ({ status: 307, headers: { Location: `/api/v1/measurements/query?n=${asked.nth}` } })),
    ENDS,
  ),
  scenario("endless: pages of new stations", pages, { ...ENDS, hasOldCatalogue: true, mostRequests: 1_100 }),
  scenario("endless: a page of stations", () => ({ catalogue: body('{"stations":[', () => " ".repeat(64_000)) }), {
    ...ENDS,
    hasOldCatalogue: true,
  }),
];
