import { DAY_MS, STATIONS } from "../meant.ts";
import { always, scenario, type Scenario, whenNew, withRow, withRows } from "../scenario.ts";
import { answerOf, type Asked, json, type Reply, type Row, rowsOf } from "../server.ts";

// Forms of rows and values.

const text = (asked: Asked): string => String(answerOf(asked.rows()).body);

/** Invalid JSON, or rows in another structure; a repeated request receives the correct response. */
const BROKEN: readonly (readonly [string, (asked: Asked) => Reply])[] = [
  ["data twice, the second empty", (a) => ({ body: text(a).replace(/\}$/, ',"data":[]}') })],
  ["data twice, the first empty", (a) => ({ body: text(a).replace("{", '{"data":[],') })],
  ["data twice, each half", (a) => halves(a)],
  ["data and then null", (a) => ({ body: text(a).replace(/\}$/, ',"data":null}') })],
  ["an additional comma", (a) => ({ body: text(a).replace("}]", "},]") })],
  ["single quotes", (a) => ({ body: text(a).replaceAll('"', "'") })],
  [
    "a line for each row",
    (a) => ({
      body: a
        .rows()
        .map((row) => JSON.stringify(row))
        .join("\n"),
    }),
  ],
  ["CSV", (a) => ({ headers: { "Content-Type": "text/csv" }, body: `timestamp,ztd\n${a.rows().length},1\n` })],
  ["rows as lists", (a) => json({ data: a.rows().map((row) => Object.values(row)), count: a.rows().length })],
  ["columns", (a) => json({ data: { timestamp: a.rows().map((r) => r["timestamp"]) }, count: a.rows().length })],
  ["rows within rows", (a) => json({ data: [a.rows()], count: 1 })],
  ["data as a text", (a) => json({ data: JSON.stringify(a.rows()), count: a.rows().length })],
  ["data by number", (a) => json({ data: { ...a.rows() }, count: a.rows().length })],
  ["another envelope", (a) => json({ result: { data: a.rows(), count: a.rows().length } })],
  ["a list of responses", (a) => json([{ data: a.rows(), count: a.rows().length }])],
  ["GeoJSON", (a) => json({ type: "FeatureCollection", features: a.rows().map((properties) => ({ properties })) })],
  ["UTF-16", (a) => ({ body: Buffer.from(`\uFEFF${text(a)}`, "utf16le") })],
  ["a NUL between rows", (a) => ({ body: text(a).replace("},{", "},\0{") })],
  ["ten thousand brackets", () => ({ body: "[".repeat(10_000) })],
  ["ten thousand brackets in a row", (a) => ({ body: text(a).replace("{", `{"x":${"[".repeat(10_000)}`) })],
  ["a truncated escape", (a) => ({ body: text(a).replace('"ztd"', '"\\u12"') })],
];

const halves = (asked: Asked): Reply => {
  const rows = asked.rows();
  const [a, b] = [rows.slice(0, rows.length / 2), rows.slice(rows.length / 2)];
  return { body: `{"data":${JSON.stringify(a)},"data":${JSON.stringify(b)},"count":${rows.length}}` };
};

/** The correct rows in another notation. */
const SOUND: readonly (readonly [string, (asked: Asked) => Reply])[] = [
  ["Latin-1 in a name", (a) => ({ body: Buffer.from(text(a).replace(STATIONS[0]!.name, "\u00c5hti"), "latin1") })],
  ["white space after the end", (a) => ({ body: `${text(a)}\n \t\r\n` })],
  ["a bare list", (a) => json(a.rows())],
  ["data after a large unknown field", (a) => ({ body: text(a).replace("{", `{"x":"${"y".repeat(300_000)}",`) })],
  ["data escaped", (a) => ({ body: text(a).replace('"data"', '"d\\u0061ta"') })],
  ["__proto__ in every row", (a) => ({ body: text(a).replaceAll("},{", ',"__proto__":{"ztd":1}},{') })],
  ["a constructor in every row", (a) => ({ body: text(a).replaceAll("},{", ',"constructor":null},{') })],
  ["count within meta", (a) => json({ meta: { count: a.rows().length }, data: a.rows() })],
];

const values = (write: (value: number) => unknown) =>
  withRow((row) => {
    const changed = { ...row };
    for (const name of ["ztd", "ztd_sigma", "pwv"])
      if (typeof changed[name] === "number") changed[name] = write(changed[name]);
    return changed;
  });

/** Writes numbers in a form of JSON that `JSON.stringify` does not produce. */
const literally = (write: (value: string) => string) =>
  always((asked) => ({
    body: text(asked).replaceAll(
      /"(ztd|ztd_sigma|pwv)":([\d.]+)/g,
      (_, name: string, n: string) => `"${name}":${write(n)}`,
    ),
  }));

const noValue = (form: string) => always((asked) => ({ body: text(asked).replaceAll('"pwv":null', `"pwv":${form}`) }));

const inEveryForm = (asked: Asked): Reply => {
  const forms = ['"NaN"', '""', "null", '"n/a"', '"-"', "NaN", '"none"', "Infinity"];
  let row = 0;
  return { body: text(asked).replaceAll('"pwv":null', () => `"pwv":${forms[row++ % forms.length]}`) };
};

const VALUES: readonly Scenario[] = [
  scenario("values: numbers as texts", values(String)),
  scenario(
    "values: numbers as texts with trailing zeros",
    values((n) => n.toFixed(6)),
  ),
  scenario(
    "values: numbers as texts with spaces",
    values((n) => ` ${n} `),
  ),
  scenario(
    "values: exponents in upper case",
    literally((n) => `${n}E0`),
  ),
  scenario(
    "values: negative exponents",
    literally((n) => `${Number(n) * 100}e-2`),
    { expected: "any" },
  ),
  scenario(
    "values: thirty digits",
    literally((n) => (n.includes(".") ? n : `${n}.0`).padEnd(32, "0")),
  ),
  ...['"-"', '"--"', '" "', '"null"', '"N/A"', '"None"', '"nil"', '"-inf"', '"<NA>"', '"undefined"', "NaN", "Infinity"]
    .concat('"Infinity"', "-Infinity", "-NaN")
    .map((form) => scenario(`values: missing is ${form}`, noValue(form))),
  scenario("values: missing has another form in every row", always(inEveryForm)),
  ...["1e999", "-1e999", "[]", "{}", "true", '"2,400.5"', '"2400.5 mm"', '"0x10"'].flatMap((form) => [
    scenario(`values: missing is ${form}, always`, noValue(form), { expected: "any", isLong: true }),
    scenario(
      `values: missing is ${form}, of new cells`,
      whenNew((asked) => ({ body: text(asked).replaceAll('"pwv":null', `"pwv":${form}`) })),
    ),
  ]),
];

const { ztd: ZTD, ztd_sigma: SIGMA, pwv: PWV } = { ztd: "ztd", ztd_sigma: "ztd_sigma", pwv: "pwv" } as const;
const only = (row: Row, ...names: readonly string[]): Row =>
  Object.fromEntries(
    Object.entries(row).filter(([key]) => ![ZTD, SIGMA, PWV].includes(key as never) || names.includes(key)),
  );

const shuffled = <T>(all: readonly T[]): T[] =>
  all
    .map((value, i) => ({ value, key: (i * 7_919) % 10_007 }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ value }) => value);

const DUPLICATES: readonly Scenario[] = [
  scenario(
    "duplicates: one field each, in another order in every epoch",
    withRows((rows) =>
      rows.flatMap((row, i) => {
        const parts = [only(row, ZTD), only(row, SIGMA), only(row, PWV)];
        return [...parts.slice(i % 3), ...parts.slice(0, i % 3)];
      }),
    ),
  ),
  scenario(
    "duplicates: one field each, shuffled",
    withRows((rows) => shuffled(rows.flatMap((row) => [only(row, ZTD), only(row, SIGMA), only(row, PWV)]))),
  ),
  scenario(
    "duplicates: two of three fields each, shuffled",
    withRows((rows) => shuffled(rows.flatMap((row) => [only(row, ZTD, PWV), only(row, SIGMA, PWV), only(row)]))),
  ),
  scenario(
    "duplicates: other fields are null, shuffled",
    withRows((rows) =>
      shuffled(
        rows.flatMap((row) => [
          { ...row, ztd: null },
          { ...row, ztd_sigma: null, pwv: null },
        ]),
      ),
    ),
  ),
  scenario(
    "duplicates: other fields are “NaN”",
    withRows((rows) =>
      rows.flatMap((row) => [
        { ...row, ztd: "NaN" },
        { ...row, ztd_sigma: "", pwv: "null" },
      ]),
    ),
  ),
  scenario("duplicates: every response has the whole day of each requested epoch", () => ({
    series: ({ stations, variables, startMs, endMs, points }) => {
      if (points > 1_500) return { status: 413, body: '{"error":"limit 1500 data points"}' };
      const [fromMs, toMs] = [Math.floor(startMs / DAY_MS) * DAY_MS, Math.ceil(endMs / DAY_MS) * DAY_MS];
      return answerOf(rowsOf(stations, variables, fromMs, toMs));
    },
  })),
  scenario(
    "duplicates: a hundred copies of one row",
    withRows((rows) => [...rows, ...Array.from({ length: 100 }, () => rows[0]!).filter(Boolean)]),
  ),
  scenario(
    "duplicates: a wrong value in a copy with another notation of time",
    withRows((rows) =>
      rows.flatMap((row) => [
        { ...row, timestamp: String(row["timestamp"]).replace("Z", "+00:00"), ztd: 1_234.5 },
        row,
      ]),
    ),
  ),
];

export const BODIES: readonly Scenario[] = [
  ...BROKEN.map(([form, reply]) => scenario(`bodies: ${form}, of new cells`, whenNew(reply), { expected: "later" })),
  ...SOUND.map(([form, reply]) => scenario(`bodies: ${form}`, always(reply))),
  ...VALUES,
  ...DUPLICATES,
];
