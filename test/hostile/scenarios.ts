import { gzipSync } from "node:zlib";
import { BODIES } from "./forms/bodies.ts";
import { CATALOGUES, CLOCKS } from "./forms/catalogues.ts";
import { ENDLESS } from "./forms/endless.ts";
import { IDENTITY } from "./forms/identity.ts";
import { PAGES } from "./forms/pages.ts";
import { STORMS } from "./forms/storms.ts";
import { TIMES_OF_ROWS } from "./forms/times.ts";
import { WIRE } from "./forms/wire.ts";
import { WORDS } from "./forms/words.ts";
import { DAY_MS, HOUR_MS, isObserved, START_MS, STATIONS } from "./meant.ts";
import { above, always, without, scenario, type Scenario, whenNew, withRow, withRows } from "./scenario.ts";
import { answerOf, type Asked, type Behaviour, json, type Reply, type Row } from "./server.ts";

// Hostile behaviour beyond the reference service, by class.

const idForms: readonly (readonly [string, (id: string) => string])[] = [
  ["upper case", (id) => id.toUpperCase()],
  ["mixed case", (id) => [...id].map((c, i) => (i % 2 ? c.toUpperCase() : c)).join("")],
  ["in braces", (id) => `{${id}}`],
  ["in braces and upper case", (id) => `{${id.toUpperCase()}}`],
  ["with spaces around", (id) => ` ${id}  `],
  ["with a tab before", (id) => `\t${id}`],
];

const FOREIGN = "0f0f0f0f-1111-4222-8333-444444444444";

const identifiers: Scenario[] = [
  ...idForms.map(([form, spell]) =>
    scenario(
      `identifiers: ${form}`,
      withRow((row) => ({ ...row, station_id: spell(row["station_id"] as string) })),
    ),
  ),
  scenario(
    "identifiers: another spelling in every row",
    withRows((rows) =>
      rows.map((row, i) => ({ ...row, station_id: idForms[i % idForms.length]![1](row["station_id"] as string) })),
    ),
  ),
  scenario(
    "identifiers: as receiver_id, upper case",
    withRow(({ station_id: id, ...row }) => ({ ...row, receiver_id: (id as string).toUpperCase() })),
  ),
  // Display names are unique: a row without an id may be assigned by its name.
  scenario(
    "identifiers: null with the display name, always",
    withRow((row) => ({ ...row, station_id: null })),
    { expected: "any" },
  ),
  scenario(
    "identifiers: neither id nor name, always",
    withRow((row) => without(without(row, "station_id"), "display_name")),
    { expected: () => true },
  ),
  scenario(
    "identifiers: neither id nor name, of new cells",
    whenNew((asked) => answerOf(asked.rows().map((row) => without(without(row, "station_id"), "display_name")))),
  ),
  scenario(
    "identifiers: null and another station's name, always",
    withRow((row) => ({ ...row, station_id: null, display_name: "Nobody" })),
    { expected: () => true },
  ),
  scenario(
    "identifiers: those of one station are foreign, always",
    withRow((row) => (row["station_id"] === STATIONS[1]!.id ? { ...row, station_id: FOREIGN } : row)),
    { expected: "any" },
  ),
  scenario(
    "identifiers: all foreign, of new cells",
    whenNew((asked) => answerOf(asked.rows().map((row) => ({ ...row, station_id: FOREIGN })))),
  ),
  scenario(
    "identifiers: a number, always",
    withRow((row) => ({ ...row, station_id: 17 })),
    { expected: () => true },
  ),
];

const moved =
  (days: number) =>
  (row: Row): Row => ({
    ...row,
    timestamp: new Date(Date.parse(row["timestamp"] as string) + days * DAY_MS).toISOString(),
  });

const ranges: Scenario[] = [
  scenario(
    "ranges: the response of another month, of new cells",
    whenNew((asked) => answerOf(asked.rows().map(moved(40)))),
  ),
  scenario("ranges: the response of another month, always", withRow(moved(40)), { expected: () => true }),
  scenario(
    "ranges: the second half of each response from the next year, of new cells",
    whenNew((asked) => {
      const rows = asked.rows();
      return answerOf(rows.map((row, i) => (i * 2 < rows.length ? row : moved(365)(row))));
    }),
  ),
];

const emptyForms: readonly (readonly [string, Reply])[] = [
  ["204", { status: 204 }],
  ["an empty body", { body: "" }],
  ["a blank body", { body: " \n" }],
  ['{"count":0}', { body: '{"count":0}' }],
  ['{"data":[]}', { body: '{"data":[]}' }],
  ['{"data":null,"count":0}', { body: '{"data":null,"count":0}' }],
  ['{"data":[],"count":0}', { body: '{"data":[],"count":0}' }],
  ["[]", { body: "[]" }],
  ["{}", { body: "{}" }],
  ["null", { body: "null" }],
  ["404 no data", { status: 404, body: '{"error":"No data found for the requested range"}' }],
  ["404 no data, as text", { status: 404, headers: { "Content-Type": "text/plain" }, body: "no data" }],
];

const isSilent = (timeMs: number): boolean => timeMs >= START_MS + DAY_MS && timeMs < START_MS + 2 * DAY_MS;
const isSilentRange = (asked: Asked): boolean =>
  asked.startMs >= START_MS + DAY_MS && asked.endMs <= START_MS + 2 * DAY_MS;

const errorsBesideData: readonly (readonly [string, object])[] = [
  ["an object", { data: [], count: 0, error: { code: "STORE", message: "store is down" } }],
  ["a text", { data: [], count: 0, error: "store is down" }],
  ["a list", { data: [], count: 0, errors: [{ message: "store is down" }] }],
  ["instead of data", { error: "store is down" }],
  ["in the form of the catalogue", { message: "store is down", code: "STORE", details: {} }],
];

const emptiness: Scenario[] = [
  ...emptyForms.map(([form, reply]) =>
    scenario(
      `emptiness: ${form}, of new cells`,
      whenNew(() => reply),
      { expected: "later" },
    ),
  ),
  ...emptyForms.map(([form, reply]) =>
    scenario(
      `emptiness: ${form}, correctly`,
      () => ({
        series: (asked) => {
          if (asked.points > 3 * 2_880) return { status: 413, body: '{"error":"limit 8640 data points"}' };
          return isSilentRange(asked)
            ? reply
            : answerOf(asked.rows().filter((row) => !isSilent(Date.parse(row["timestamp"] as string))));
        },
      }),
      { days: 3, expected: "any", means: (station, timeMs) => isObserved(station, timeMs) && !isSilent(timeMs) },
    ),
  ),
  ...errorsBesideData.flatMap(([form, body]) => [
    scenario(
      `emptiness: an error, ${form}, of new cells`,
      whenNew(() => json(body)),
    ),
    scenario(
      `emptiness: an error, ${form}, always`,
      always(() => json(body)),
      "data" in body
        ? { expected: () => true, isLong: true }
        : // An error instead of a response is an outage: the job pauses and waits for the service.
          { expected: "any", isLong: true, words: ["--wait-for-service", "20s"], prints: /Nothing was answered/ },
    ),
  ]),
  scenario(
    "emptiness: half the rows and an error, of new cells",
    whenNew((asked) => json({ data: asked.rows().slice(0, 1_000), count: 1_000, error: "cut short" })),
  ),
  ...["ztd", "ztd_sigma", "pwv"].map((name) =>
    scenario(
      `emptiness: no ${name} in any row, of new cells`,
      whenNew((asked) => answerOf(asked.rows().map((row) => without(row, name)))),
      { expected: "later" },
    ),
  ),
  scenario(
    "emptiness: data as an object by station, of new cells",
    whenNew((asked) => {
      const byStation = Object.groupBy(asked.rows(), (row) => row["station_id"] as string);
      return json({ data: byStation, count: asked.rows().length });
    }),
  ),
  scenario(
    "emptiness: an HTML page, of new cells",
    whenNew(() => ({ headers: { "Content-Type": "text/html" }, body: "<!doctype html><title>Log in</title>" })),
  ),
  scenario(
    "emptiness: no pwv of one station, of new cells",
    whenNew((asked) =>
      answerOf(asked.rows().map((row) => (row["station_id"] === STATIONS[1]!.id ? without(row, "pwv") : row))),
    ),
    { expected: "later" },
  ),
  scenario(
    "emptiness: one station is missing, of new cells",
    whenNew((asked) => {
      const rows = asked.rows().filter((row) => row["station_id"] !== STATIONS[2]!.id);
      return answerOf(rows);
    }),
    { expected: "later" },
  ),
];

const noValue = (form: (row: Row, name: string) => void) =>
  withRow((row) => {
    const changed = { ...row };
    for (const name of ["ztd", "ztd_sigma", "pwv"]) if (changed[name] === null) form(changed, name);
    return changed;
  });

const valueForms: Scenario[] = [
  scenario(
    'values: missing is "NaN"',
    noValue((row, name) => (row[name] = "NaN")),
  ),
  scenario(
    'values: missing is ""',
    noValue((row, name) => (row[name] = "")),
  ),
  scenario(
    "values: missing is absent",
    noValue((row, name) => delete row[name]),
  ),
  scenario("values: missing is a bare NaN", () => ({
    series: (asked) => ({
      body: JSON.stringify({ data: asked.rows(), count: asked.rows().length }).replaceAll(":null", ":NaN"),
    }),
  })),
  scenario(
    'values: "nan" and "null"',
    noValue((row, name) => (row[name] = name === "pwv" ? "nan" : "null")),
    { expected: "any" },
  ),
  ...(
    [
      ["ztd is an object", { ztd: { value: 1 } }],
      ["ztd is a list", { ztd: [2_400] }],
      ["ztd is true", { ztd: true }],
      ["ztd is a word", { ztd: "high" }],
      ["timestamp is a number", { timestamp: 1_773_100_800 }],
      ["station_id is an object", { station_id: { id: STATIONS[0]!.id } }],
    ] as const
  ).map(([form, change]) =>
    scenario(
      `values: in one row ${form}, of new cells`,
      whenNew((asked) => answerOf(asked.rows().map((row, i) => (i === 77 ? { ...row, ...change } : row)))),
    ),
  ),
  scenario("values: exponents", () => ({
    series: (asked) => {
      const rows = asked.rows();
      const body = JSON.stringify({ data: rows, count: rows.length });
      return { body: body.replaceAll(/"ztd":([\d.]+)/g, (_, n: string) => `"ztd":${Number(n).toExponential()}`) };
    },
  })),
];

const counts: Scenario[] = [
  ...(
    [
      ["a text", (n: number) => String(n)],
      ["null", () => null],
      ["a float", (n: number) => n + 0],
      ["an object", (n: number) => ({ value: n })],
    ] as const
  ).map(([form, count]) =>
    scenario(
      `count: ${form}`,
      always((asked) => json({ data: asked.rows(), count: count(asked.rows().length) })),
    ),
  ),
  scenario(
    "count: absent",
    always((asked) => json({ data: asked.rows() })),
  ),
  scenario(
    "count: before the data",
    always((asked) => json({ count: asked.rows().length, data: asked.rows() })),
  ),
  scenario(
    "count: negative",
    always((asked) => json({ data: asked.rows(), count: -asked.rows().length })),
  ),
  ...["1e18", "1e400", "99999999999999999999999"].map((count) =>
    scenario(
      `count: ${count}, of new cells`,
      whenNew((asked) => ({ body: `{"data":${JSON.stringify(asked.rows())},"count":${count}}` })),
    ),
  ),
  scenario(
    "count: too large, of new cells",
    whenNew((asked) => json({ data: asked.rows(), count: asked.rows().length + 7 })),
  ),
  scenario(
    "count: right, but the last rows are missing, of new cells",
    whenNew((asked) => json({ data: asked.rows().slice(0, -50), count: asked.rows().length })),
  ),
];

const duplicates: Scenario[] = [
  scenario(
    "duplicates: equal",
    withRows((rows) => rows.flatMap((row) => [row, row])),
  ),
  scenario(
    "duplicates: an empty copy after",
    withRows((rows) => [...rows, ...rows.map((row) => ({ ...row, ztd: null, ztd_sigma: null, pwv: null }))]),
  ),
  scenario(
    "duplicates: an empty copy before",
    withRows((rows) => rows.flatMap((row) => [{ ...row, ztd: null, ztd_sigma: null, pwv: null }, row])),
  ),
  scenario(
    "duplicates: each variable in a separate copy",
    withRows((rows) =>
      rows.flatMap(({ ztd, ztd_sigma, pwv, ...row }) => [
        { ...row, ztd },
        { ...row, ztd_sigma },
        { ...row, pwv },
      ]),
    ),
  ),
  scenario(
    "duplicates: each variable in a separate copy, all of one first",
    withRows((rows) => [
      ...rows.map(({ ztd, ztd_sigma: _s, pwv: _p, ...row }) => ({ ...row, ztd })),
      ...rows.map(({ ztd_sigma, ztd: _z, pwv: _p, ...row }) => ({ ...row, ztd_sigma })),
      ...rows.map(({ pwv, ztd: _z, ztd_sigma: _s, ...row }) => ({ ...row, pwv })),
    ]),
  ),
  scenario(
    "duplicates: a wrong value first",
    withRows((rows) => rows.flatMap((row) => [{ ...row, ztd: 1_234.5 }, row])),
  ),
  scenario(
    "duplicates: a bare copy after",
    withRows((rows) => rows.flatMap(({ ztd, ztd_sigma, pwv, ...row }) => [{ ...row, ztd, ztd_sigma, pwv }, row])),
  ),
];

const writings: Scenario[] = [
  scenario(
    "writing: a byte order mark",
    always((asked) => ({ body: `\uFEFF${JSON.stringify({ data: asked.rows(), count: asked.rows().length })}` })),
  ),
  scenario(
    "writing: indented, with carriage returns",
    always((asked) => ({
      body: JSON.stringify({ data: asked.rows(), count: asked.rows().length }, null, "\t").replaceAll("\n", "\r\n"),
    })),
  ),
  scenario(
    "writing: keys in another order",
    withRow((row) => Object.fromEntries(Object.entries(row).toReversed())),
  ),
  scenario(
    "writing: keys in another order in every row",
    withRows((rows) =>
      rows.map((row, i) =>
        Object.fromEntries(Object.entries(row).toSorted(([a], [b]) => (i % 2 ? 1 : -1) * (a < b ? -1 : 1))),
      ),
    ),
  ),
  scenario(
    "writing: every key twice, the right one last",
    always((asked) => ({
      body: JSON.stringify({ data: asked.rows(), count: asked.rows().length })
        .replaceAll('"ztd":', '"ztd":1,"ztd":')
        .replaceAll('"station_id":', `"station_id":"${FOREIGN}","station_id":`),
    })),
  ),
  scenario(
    "writing: a key of a million characters in some rows",
    withRows((rows) => rows.map((row, i) => (i % 1_000 === 500 ? { ["k".repeat(1_000_000)]: 1, ...row } : row))),
  ),
  scenario(
    "writing: nested unknown fields",
    withRow((row) => ({ meta: { data: [{ ztd: 1 }], station_id: FOREIGN }, ...row, tail: [[["]}"]]] })),
  ),
  scenario(
    "writing: rows in reverse order",
    withRows((rows) => rows.toReversed()),
  ),
  scenario(
    "writing: keys escaped",
    always((asked) => ({
      body: JSON.stringify({ data: asked.rows(), count: asked.rows().length })
        .replaceAll('"ztd"', '"\\u007atd"')
        .replaceAll("station_id", "station\\u005fid"),
    })),
  ),
  scenario(
    "writing: times with an offset",
    withRow((row) => ({
      ...row,
      timestamp: new Date(Date.parse(row["timestamp"] as string) + 2 * HOUR_MS).toISOString().replace("Z", "+02:00"),
    })),
  ),
  scenario(
    "writing: times without milliseconds",
    withRow((row) => ({ ...row, timestamp: (row["timestamp"] as string).replace(".000Z", "Z") })),
  ),
  scenario(
    "writing: times with nanoseconds",
    withRow((row) => ({ ...row, timestamp: (row["timestamp"] as string).replace(".000Z", ".000000000Z") })),
  ),
];

const inPieces =
  (size: number) =>
  (asked: Asked): Reply => ({
    ...answerOf(asked.rows()),
    send(response, body) {
      for (let at = 0; at < body.length; at += size) response.write(body.subarray(at, at + size));
      response.end();
    },
  });

/** Truncates the body, with a regular end or a lost connection. */
const cut =
  (share: number, isReset: boolean) =>
  (asked: Asked): Reply => ({
    ...answerOf(asked.rows()),
    send(response, body) {
      const part = body.subarray(0, Math.max(1, Math.floor(body.length * share) - (share === 1 ? 1 : 0)));
      if (!isReset) return void response.end(part);
      response.write(part, () => response.socket?.destroy());
    },
  });

/** Sends headers that the server of Node would not send, and closes the connection. */
const bare =
  (head: readonly string[], bodyOf: (body: Buffer) => Buffer) =>
  (asked: Asked): Reply => ({
    ...answerOf(asked.rows()),
    send(response, body) {
      const lines = [...head, "Content-Type: application/json", `Date: ${new Date().toUTCString()}`, "", ""];
      response.socket?.end(Buffer.concat([Buffer.from(lines.join("\r\n")), bodyOf(Buffer.from(body))]));
    },
  });

const chunked = (body: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from("\r\n0\r\n\r\n")]);

/** Sends the body slowly until the client disconnects. */
const trickle =
  (bytes: number, everyMs: number) =>
  (asked: Asked): Reply => ({
    ...answerOf(asked.rows()),
    send(response, body) {
      let at = 0;
      const timer = setInterval(() => {
        response.write(body.subarray(at, (at += bytes)));
        if (at >= body.length) response.end();
        if (at >= body.length || response.destroyed) clearInterval(timer);
      }, everyMs);
      response.on("close", () => clearInterval(timer));
    },
  });

/** Exchanges the responses of two concurrent requests, once for each start time. */
const exchanged = (): Behaviour => {
  const seen = new Set<number>();
  let waiting: { readonly answer: (body: Uint8Array) => void; readonly body: Uint8Array } | null = null;
  return {
    series(asked) {
      if (asked.points > 3 * 2_880) return { status: 413, body: '{"error":"at most 8640 data points"}' };
      if (seen.has(asked.startMs)) return undefined;
      seen.add(asked.startMs);
      return {
        ...answerOf(asked.rows()),
        send(response, body) {
          const own = { answer: (other: Uint8Array) => void response.end(other), body };
          const other = waiting;
          waiting = other === null ? own : null;
          if (other !== null) {
            other.answer(body);
            own.answer(other.body);
            return;
          }
          setTimeout(() => {
            if (waiting !== own) return;
            waiting = null;
            own.answer(body);
          }, 1_000);
        },
      };
    },
  };
};

/** Aborts the first body, and resets requests for a while afterwards. */
const outageWithin = (seconds: number) => (): Behaviour => {
  let isOver = true;
  return {
    isDown: (sinceMs) => !isOver && sinceMs < seconds * 1_000,
    series(asked) {
      if (asked.nth > 1) return undefined;
      isOver = false;
      return cut(0.5, true)(asked);
    },
  };
};

const transport: Scenario[] = [
  scenario("transport: a body within two seconds", always(trickle(100_000, 100))),
  scenario("transport: 40 bytes a second, of new cells", whenNew(trickle(4, 100)), { isLong: true }),
  scenario("transport: the responses of two requests are exchanged, once", exchanged, {
    days: 4,
    expected: "later",
  }),
  scenario("transport: an outage of 2 s in the middle of a body", outageWithin(2)),
  scenario("transport: HTTP/1.0, ended by the connection", always(bare(["HTTP/1.0 200 OK"], (body) => body))),
  scenario(
    "transport: HTTP/1.0, silently truncated, of new cells",
    whenNew(bare(["HTTP/1.0 200 OK"], (body) => body.subarray(0, body.length / 2))),
  ),
  scenario(
    "transport: garbage after the last chunk, of new cells",
    whenNew(
      bare(["HTTP/1.1 200 OK", "Transfer-Encoding: chunked"], (body) =>
        Buffer.concat([chunked(body), Buffer.from("zz\r\n{}")]),
      ),
    ),
  ),
  scenario(
    "transport: chunks with a wrong length, of new cells",
    whenNew(
      bare(["HTTP/1.1 200 OK", "Transfer-Encoding: chunked"], (body) =>
        Buffer.concat([Buffer.from("fffff\r\n"), body, Buffer.from("\r\n0\r\n\r\n")]),
      ),
    ),
  ),
  scenario(
    "transport: garbage after the response, of new cells",
    whenNew((asked) => ({ body: `${String(answerOf(asked.rows()).body)} # end` })),
  ),
  scenario(
    "transport: 32 MB of spaces without an end, compressed, of new cells",
    whenNew(() => ({ headers: { "Content-Encoding": "gzip" }, body: bomb(`{"data":[`, " ") })),
  ),
  scenario(
    "transport: a string of 32 MB, compressed, of new cells",
    whenNew(() => ({ headers: { "Content-Encoding": "gzip" }, body: bomb(`{"data":[{"ztd":"`, "9") })),
  ),
  scenario(
    "transport: redirected to another address, always",
    always(() => ({
      status: 307,
      send(response) {
        response.setHeader("Location", `http://localhost:${response.socket?.localPort}/api/v1/measurements/query`);
        response.end();
      },
    })),
    { expected: "any", prints: /sends requests on/, mostRequests: 10 },
  ),
  ...[1, 7].map((size) =>
    scenario(
      `transport: pieces of ${size} bytes`,
      always((asked) =>
        asked.points > 240 ? { status: 413, body: '{"error":"240 data points"}' } : inPieces(size)(asked),
      ),
      { stations: 1 },
    ),
  ),
  ...[0.001, 0.3, 0.77, 1].flatMap((share) => [
    scenario(`transport: truncated at ${share} with a regular end, of new cells`, whenNew(cut(share, false))),
    scenario(`transport: connection lost at ${share}, of new cells`, whenNew(cut(share, true))),
  ]),
  scenario(
    "transport: half of a gzip stream, of new cells",
    whenNew((asked) => {
      const zipped = gzipSync(answerOf(asked.rows()).body as string);
      return { headers: { "Content-Encoding": "gzip" }, body: zipped.subarray(0, zipped.length / 2) };
    }),
  ),
  scenario(
    "transport: invalid gzip, of new cells",
    whenNew((asked) => ({ ...answerOf(asked.rows()), headers: { "Content-Encoding": "gzip" } })),
  ),
  scenario(
    "transport: an unknown encoding, of new cells",
    whenNew((asked) => ({ ...answerOf(asked.rows()), headers: { "Content-Encoding": "zstd9" } })),
  ),
  scenario(
    "transport: two responses in one body, of new cells",
    whenNew((asked) => ({ body: `${String(answerOf(asked.rows()).body)}${String(answerOf([]).body)}` })),
  ),
];

const clocks: Scenario[] = [
  scenario("clock: no Date", () => ({ date: () => null })),
  scenario("clock: Date is invalid", () => ({ date: () => "soon" })),
  scenario("clock: one Date ten years in the past", () => ({
    date: (nth) => Date.now() - (nth === 1 ? 3_650 * DAY_MS : 0),
  })),
  scenario("clock: every second Date ten years in the past", () => ({
    date: (nth) => Date.now() - (nth % 2 ? 3_650 * DAY_MS : 0),
  })),
  scenario(
    "clock: every Date of time series ten years in the past",
    () => ({ date: (nth) => Date.now() - (nth > 0 ? 3_650 * DAY_MS : 0) }),
    { expected: "any" },
  ),
  scenario("clock: one Date ten years in the future", () => ({
    date: (nth) => Date.now() + (nth === 1 ? 3_650 * DAY_MS : 0),
  })),
];

const down =
  (seconds: number, reply: () => Reply): (() => Behaviour) =>
  () => ({
    series: (asked) => (asked.sinceMs < seconds * 1000 ? reply() : undefined),
  });

const bomb = (start: string, filling: string): Uint8Array => gzipSync(start + filling.repeat(32_000_000));

const patience: Scenario[] = [
  scenario(
    "patience: 503 always, wait of 1 s",
    always(() => ({ status: 503, body: '{"error":"unavailable"}' })),
    { expected: "any", words: ["--wait-for-service", "1s"], prints: /Nothing was answered/, mostRequests: 20 },
  ),
  scenario(
    "patience: 503 for 1 s, wait of 10 min",
    down(1, () => ({ status: 503, body: '{"error":"unavailable"}' })),
    { words: ["--wait-for-service", "10m"] },
  ),
];

const storms: Scenario[] = [1, 10, 60].flatMap((seconds) => {
  const options = { isLong: seconds > 1, days: 10 };
  return [
    scenario(
      `storm: 503 for ${seconds} s`,
      down(seconds, () => ({ status: 503, body: '{"error":"unavailable"}' })),
      options,
    ),
    scenario(`storm: resets for ${seconds} s`, () => ({ isDown: (sinceMs) => sinceMs < seconds * 1000 }), options),
    scenario(
      `storm: 502 with an HTML page for ${seconds} s`,
      down(seconds, () => ({
        status: 502,
        headers: { "Content-Type": "text/html" },
        body: "<html><h1>Bad gateway</h1></html>",
      })),
      options,
    ),
    scenario(
      `storm: 429 without Retry-After for ${seconds} s`,
      down(seconds, () => ({ status: 429, body: '{"error":"busy"}' })),
      options,
    ),
  ];
});

const large = (status: number): Reply => ({ status, body: '{"error":"failed"}' });
const isBad = (asked: Asked): boolean => {
  const badMs = START_MS + 17 * HOUR_MS;
  return asked.stations.includes(1) && asked.startMs <= badMs && asked.endMs > badMs;
};
/** May be reported as failed: the bad epoch and the hours without data, as small empty responses are not trusted yet. */
const nearBad = (station: number, timeMs: number): boolean =>
  !isObserved(station, timeMs) || Math.abs(timeMs - (START_MS + 17 * HOUR_MS)) <= 60_000;

const sizes: Scenario[] = [
  ...[500, 502, 503, 504, 408].map((status) =>
    scenario(
      `size: ${status} above 2,000 points`,
      above(2_000, () => large(status)),
      { isLong: true },
    ),
  ),
  scenario(
    "size: resets above 2,000 points",
    above(2_000, () => ({ send: (response) => void response.socket?.resetAndDestroy() })),
    { isLong: true },
  ),
  scenario(
    "size: 413 without a number above 2,000 points",
    above(2_000, () => ({ status: 413, body: "" })),
  ),
  scenario(
    "size: 413 with too large a limit",
    above(2_000, () => ({ status: 413, body: '{"error":"at most 1000000 data points"}' })),
  ),
  ...[500, 504].map((status) =>
    scenario(
      `size: ${status} for one bad cell`,
      always((asked) => (isBad(asked) ? large(status) : answerOf(asked.rows()))),
      { expected: nearBad, isLong: true, mostRequests: 400 },
    ),
  ),
  scenario(
    "size: a limit of 0, always",
    always(() => ({ status: 413, body: '{"error":"the limit is 0 data points"}' })),
    { expected: () => true },
  ),
  scenario(
    "size: 408, always",
    always(() => large(408)),
    { expected: () => true, isLong: true },
  ),
];

const catalogue: Scenario[] = [
  ...[1e9, 0, -30, "30", null, 1e-9].map((resolution) =>
    scenario(`catalogue: resolution_seconds is ${JSON.stringify(resolution)}`, () => ({
      catalogue: (_path, page) =>
        json({
          ...page,
          ...(page["stations"]
            ? { stations: (page["stations"] as Row[]).map((s) => ({ ...s, resolution_seconds: resolution })) }
            : {}),
        }),
    })),
  ),
  ...(
    [
      ["total_items is too large", { total_items: 1_000, total_pages: 5 }, /it has 1,000 stations/],
      ["total_items is 1", { total_items: 1, total_pages: 1 }, null],
      ["total_items is negative", { total_items: -7, total_pages: -1 }, null],
      ["total_items is 1e300", { total_items: 1e300, total_pages: 1e300 }, null],
      ["a billion pages, each the first", { total_pages: 1e9 }, null],
    ] as const
  ).map(([form, totals, prints]) =>
    scenario(
      `catalogue: ${form}`,
      () => ({
        catalogue: (_path, page) =>
          json({ ...page, pagination: { ...(page["pagination"] as object), page: 1, ...totals } }),
      }),
      { mostRequests: 30, prints },
    ),
  ),
];

/** All scenarios, ordered by class. */
export const SCENARIOS: readonly Scenario[] = [
  ...identifiers,
  ...ranges,
  ...emptiness,
  ...valueForms,
  ...counts,
  ...duplicates,
  ...writings,
  ...transport,
  ...clocks,
  ...patience,
  ...storms,
  ...sizes,
  ...catalogue,
  ...IDENTITY,
  ...TIMES_OF_ROWS,
  ...WORDS,
  ...BODIES,
  ...WIRE,
  ...ENDLESS,
  ...CATALOGUES,
  ...CLOCKS,
  ...PAGES,
  ...STORMS,
];
