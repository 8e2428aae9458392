import { DAY_MS, isObserved, START_MS, STATIONS } from "../meant.ts";
import { always, each, firstAndAlways, scenario, type Answer, type Scenario } from "../scenario.ts";
import { UNUSABLE, whenNew, without } from "../scenario.ts";
import { answerOf, json, type Reply, type Row } from "../server.ts";

// Responses as a whole: empty or incomplete ones, fields beside the rows, and notations of JSON.

const text: (asked: Parameters<Answer>[0]) => string = (asked) => String(answerOf(asked.rows()).body);

const isSilent = (timeMs: number): boolean => timeMs >= START_MS + DAY_MS && timeMs < START_MS + 2 * DAY_MS;

/** Ways to say that there is nothing, at first, or correctly for one of three days. */
const EMPTY: Readonly<Record<string, Reply>> = {
  "204": { status: 204 },
  '{"data":[],"count":0}': { body: '{"data":[],"count":0}' },
  "{}": { body: "{}" },
  "404 no data": { status: 404, body: '{"error":"No data found for the requested range"}' },
};
const onOneDay = (reply: Reply) =>
  always((asked) => {
    if (asked.points > 3 * 2_880) return { status: 413, body: '{"error":"limit 8640 data points"}' };
    if (isSilent(asked.startMs) && isSilent(asked.endMs - 1)) return reply;
    return answerOf(asked.rows().filter((row) => !isSilent(Date.parse(row["timestamp"] as string))));
  });

/** No rows, or no readable ones. */
const INSTEAD: Readonly<Record<string, unknown>> = {
  "an error beside no data": { data: [], count: 0, error: { code: "STORE", message: "store is down" } },
  "an error instead of data": { error: "store is down" },
  "data: a text": { data: "store is down" },
  "no data, and a count of rows": { data: [], count: 5_000 },
  "a queued job": { job_id: "a1", status: "queued" },
};

/** Fields beside the rows say nothing, whatever they are called: half of the rows are a half. */
const BESIDE: Readonly<Record<string, object>> = {
  "an error": { error: { code: 503 } },
  "more pages": { has_more: true, links: { next: "/api/v1/measurements/query?page=2" } },
  "a count of a million": { count: 1_000_000 },
};
const HARMLESS: Readonly<Record<string, object>> = {
  "empty errors": { error: null, errors: [], warnings: {} },
};

const WITHOUT_SOME: Readonly<Record<string, (rows: Row[]) => Row[]>> = {
  "no pwv in any row": (rows) => rows.map((row) => without(row, "pwv")),
  "one station is missing": (rows) => rows.filter((row) => row["station_id"] !== STATIONS[2]!.id),
  "nulls and an error in some rows": (rows) =>
    rows.map((row, i) => (i % 20 === 7 ? { ...row, ztd: null, ztd_sigma: null, pwv: null, error: "timeout" } : row)),
};

const firstThousand = (beside: object, headers: Readonly<Record<string, string>> = {}) =>
  always((asked) => {
    const rows = asked.rows();
    return rows.length <= 1_000
      ? answerOf(rows)
      : json({ data: rows.slice(0, 1_000), count: 1_000, ...beside }, { headers });
  });

/** The first hundred epochs of 30 s of an hour. */
const isEarly = (timeMs: number): boolean => timeMs % 3_600_000 < 100 * 30_000;

const COUNTS: Readonly<Record<string, (n: number) => unknown>> = {
  "a text": String,
  negative: (n) => -n,
};

const WRONG_COUNTS: Readonly<Record<string, Answer>> = {
  "too large": (a) => json({ data: a.rows(), count: a.rows().length + 7 }),
  "right, but the last rows are missing": (a) => json({ data: a.rows().slice(0, -50), count: a.rows().length }),
};

/** The correct rows in another notation. */
const NOTATIONS: Readonly<Record<string, Answer>> = {
  "a byte order mark, and white space after the end": (a) => ({ body: `\uFEFF${text(a)}\n \t\r\n` }),
  "indented, with carriage returns": (a) => ({
    body: JSON.stringify({ count: a.rows().length, data: a.rows() }, null, "\t").replaceAll("\n", "\r\n"),
  }),
  "every key twice, the right one last": (a) => ({ body: text(a).replaceAll('"ztd":', '"ztd":1,"ztd":') }),
  "a key of a million characters": (a) =>
    answerOf(a.rows().map((row, i) => (i % 1_000 === 500 ? { ["k".repeat(1_000_000)]: 1, ...row } : row))),
  "keys escaped": (a) => ({
    body: text(a)
      .replaceAll('"ztd"', '"\\u007atd"')
      .replaceAll("station_id", "station\\u005fid")
      .replace('"data"', '"d\\u0061ta"'),
  }),
  "a bare list": (a) => json(a.rows()),
  "__proto__ in every row": (a) => ({ body: text(a).replaceAll("},{", ',"__proto__":{"ztd":1}},{') }),
};

/** Invalid JSON, or rows in another structure; a repeated request receives the correct response. */
const BROKEN: Readonly<Record<string, Answer>> = {
  "data twice, the second empty": (a) => ({ body: text(a).replace(/\}$/, ',"data":[]}') }),
  "data twice, each half": (a) => {
    const rows = a.rows();
    const [one, two] = [rows.slice(0, rows.length / 2), rows.slice(rows.length / 2)].map((half) =>
      JSON.stringify(half),
    );
    return { body: `{"data":${one},"data":${two},"count":${rows.length}}` };
  },
  "an additional comma": (a) => ({ body: text(a).replace("}]", "},]") }),
  "rows by station": (a) =>
    json({ data: Object.groupBy(a.rows(), (row) => row["station_id"] as string), count: a.rows().length }),
  "two responses": (a) => ({ body: `${text(a)}${text(a)}` }),
  "UTF-16": (a) => ({ body: Buffer.from(`\uFEFF${text(a)}`, "utf16le") }),
  "ten thousand brackets in a row": (a) => ({ body: text(a).replace("{", `{"x":${"[".repeat(10_000)}`) }),
  "an HTML page": () => ({ headers: { "Content-Type": "text/html" }, body: "<!doctype html><title>Log in</title>" }),
};

export const ANSWERS: readonly Scenario[] = [
  ...each(["answers", "of new cells"], EMPTY, (reply) => whenNew(() => reply), { expected: "later" }),
  ...each(["answers", "for a day without data"], EMPTY, onOneDay, {
    days: 3,
    expected: "any",
    means: (station, timeMs) => isObserved(station, timeMs) && !isSilent(timeMs),
  }),
  ...each(["answers", "of new cells"], INSTEAD, (body) => whenNew(() => json(body)), { expected: "later" }),
  ...each(["answers", "always"], INSTEAD, (body) => always(() => json(body)), UNUSABLE),
  ...each(["answers", "with half of the rows, of new cells"], BESIDE, (beside) =>
    whenNew((asked) =>
      json({ ...JSON.parse(text(asked)), data: asked.rows().slice(0, asked.rows().length / 2), ...beside }),
    ),
  ),
  ...each(["answers", "with all rows"], HARMLESS, (beside) =>
    always((asked) => json({ data: asked.rows(), count: asked.rows().length, ...beside })),
  ),
  ...each(["answers", "of new cells"], WITHOUT_SOME, (change) => whenNew((asked) => answerOf(change(asked.rows()))), {
    expected: "later",
  }),
  scenario("answers: the first thousand rows", firstThousand({})),
  scenario("answers: the first thousand rows, with a page", firstThousand({ page: 1, total_pages: 8 })),
  scenario("answers: the first thousand rows, with a header", firstThousand({}, { "X-Total-Count": "7800" })),
  scenario(
    "answers: each hour has only a hundred rows",
    always((asked) => answerOf(asked.rows().filter((row) => isEarly(Date.parse(row["timestamp"] as string))))),
    {
      means: (station, timeMs) => isObserved(station, timeMs) && isEarly(timeMs),
      // Hours without a row are requested again later, and must not be reported as failed.
      expected: "any",
      prints: /^(?![^]*failed)/,
    },
  ),
  ...each(["bodies", "as the count"], COUNTS, (count) =>
    always((asked) => json({ data: asked.rows(), count: count(asked.rows().length) })),
  ),
  ...each(["bodies", "as the count, of new cells"], WRONG_COUNTS, whenNew),
  ...each(["bodies"], NOTATIONS, always),
  ...firstAndAlways("bodies", BROKEN),
];
