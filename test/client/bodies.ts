import * as fc from "fast-check";

/** Bodies of time series responses as text, from regular to unusual ones. */

export const STATIONS = ["3f2b8a3e-1f0a-4c55-9d1b-000000000001", "3f2b8a3e-1f0a-4c55-9d1b-000000000002", "b9"];

const NAMES = ["Kallio", "Zürich Nord", 'a "quoted" \\ name', "=SUM(A1)", "", "日本 \u{1f6f0}", "tab\tand\u0007bell"];

const plainMoment = fc
  .integer({ min: Date.UTC(2025, 11, 31, 23), max: Date.UTC(2026, 2, 1) })
  .map((ms) => new Date(ms).toISOString());

const moment = fc.oneof(
  { weight: 12, arbitrary: plainMoment.map((t) => JSON.stringify(t)) },
  { weight: 2, arbitrary: plainMoment.map((t) => JSON.stringify(`${t.slice(0, 19)}Z`)) },
  fc.constantFrom(
    '"2026-01-01T00:00:60.000Z"',
    '"2026-01-01T24:00:00.000Z"',
    '"2026-02-30T00:00:00.000Z"',
    '"2026-01-01T12:00:00+02:00"',
    '"2026-01-01 12:00:00"',
    '"2026-01-01T12:00:00.123456Z"',
    '"2026-01-01"',
    '"2026-01-01T12:00:00\\u002e000Z"',
    '"soon"',
    '""',
    "null",
    "1767225600000",
  ),
);

export const numberText = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: -30_000, max: 30_000 }).map((n) => `${n / 10}`) },
  { weight: 4, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }).map((x) => `${x}`) },
  { weight: 2, arbitrary: fc.double({ min: 0, max: 3_000, noNaN: true }).map((x) => `${x}`) },
  fc.constantFrom(
    "-0",
    "0",
    "0.0",
    "-0.0",
    "1e3",
    "2.5E-3",
    "1e400",
    "-1e400",
    "1e-400",
    "5e-324",
    "12345678901234567890",
  ),
);

const scalar = fc.oneof(
  { weight: 12, arbitrary: numberText },
  { weight: 2, arbitrary: fc.constant("null") },
  { weight: 2, arbitrary: fc.constantFrom("NaN", '""', '"NaN"', "Infinity", "-Infinity") },
  fc.constantFrom('"12.5"', '" 3 "', '"1e400"', "true", "{}", "[1,2]", '"x"', '{"a":"}"}'),
);

const text = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .array(fc.constantFrom("G01", "E12", "45.2", "7"), { maxLength: 5 })
      .map((l) => JSON.stringify(l.join(","))),
  },
  { weight: 2, arbitrary: fc.constant("null") },
  fc.constantFrom('"G01\\u002cG02"', '"ü,ö"', '["G01","G02"]', "[1.5,2]", "12", "{}", "true", '"a\\\\"', '"]}"'),
);

const members = {
  timestamp: moment,
  station_id: fc.constantFrom(...STATIONS).map((id) => JSON.stringify(id)),
  display_name: fc.constantFrom(...NAMES).map((name) => JSON.stringify(name)),
  ztd: scalar,
  ztd_sigma: scalar,
  pwv: scalar,
  prn: text,
  el: text,
};
const extras = {
  quality: fc.oneof(numberText, fc.constantFrom("null", "true", '"good"', '"gut ü"', '{"a":[1,{"b":"]"}]}', "[]")),
  receiver_id: fc.constantFrom('"b9"', "7"),
};

/** A regular row with the same keys in the same order, as a service writes it. */
function regularRow(order: readonly string[]): fc.Arbitrary<string> {
  return fc
    .record({
      timestamp: plainMoment.map((t) => JSON.stringify(t)),
      station_id: members.station_id,
      display_name: fc.constant('"Kallio ü"'),
      ztd: numberText,
      ztd_sigma: fc.oneof({ weight: 4, arbitrary: numberText }, fc.constant("null")),
      pwv: fc.oneof(numberText, fc.constantFrom("null", "NaN", '""')),
      prn: fc.constantFrom('"G01,G02"', '"G01"', "null"),
      el: fc.constantFrom('"45.0,12.5"', '""'),
    })
    .chain((row) => fc.tuple(fc.constant(row), numberText))
    .map(([row, other]) => {
      const second: Partial<Record<string, string>> = {
        ztd: other,
        pwv: other,
        prn: '"E01"',
        station_id: '"b9"',
        timestamp: '"2026-01-05T00:00:00.000Z"',
      };
      const members = order.map((k, at) => {
        const value = order.indexOf(k) < at ? second[k] : row[k as keyof typeof row];
        return `"${k}":${value}`;
      });
      return `{${members.join(",")}}`;
    });
}

const space = fc.constantFrom("", "", "", " ", "\n", "\t", " \r\n ");

/** Any row: keys in any order, missing or unknown keys, white space anywhere. */
const anyRow = fc
  .tuple(
    fc.record({ ...members, ...extras }),
    fc.shuffledSubarray([...Object.keys(members), ...Object.keys(extras)], { minLength: 3 }),
    space,
    space,
  )
  .map(([row, keys, before, behind]) => {
    const list = keys.map((k) => `${before}"${k}"${behind}:${before}${row[k as keyof typeof row]}${behind}`);
    return `{${list.join(",")}${before}}`;
  });

const element = fc.oneof(
  { weight: 20, arbitrary: anyRow },
  fc.constantFrom("null", "1", "[]", "{}", '"text"', '[{"timestamp":"2026-01-01T00:00:00.000Z"}]'),
);

function wrapped(rows: fc.Arbitrary<string[]>): fc.Arbitrary<string> {
  return fc.tuple(rows, space, space, fc.nat(5), fc.boolean()).map(([list, before, between, form, bom]) => {
    const data = `"data"${before}:${between}[${before}${list.join(`${between},${before}`)}${between}]`;
    const count = `"count"${between}:${list.length}`;
    const body = [
      `{${data},${count}}`,
      `{${count}${between},${data}}`,
      `${before}{${before}"meta":{"data":[{"x":"]}"}],"n":1.5e3},${data},"next":null${between}}${before}`,
      `{${data}}`,
      `{${data},"count":${list.length + 1}}`,
      `{"\\u0063ount":${list.length},${data},"error":null}`,
    ][form]!;
    return (bom ? "\ufeff" : "") + body;
  });
}

/** Responses with anything that JSON allows, and the bare words NaN and Infinity. */
export const unusualBody = wrapped(fc.array(element, { maxLength: 25 }));

/** Responses as a service writes them, in every key order; the fast path reads nearly all rows. */
export const regularBody = fc
  .tuple(
    fc.shuffledSubarray(Object.keys(members), { minLength: Object.keys(members).length }),
    // For a repeated key, the last value counts.
    fc.oneof(
      { weight: 9, arbitrary: fc.constant([]) },
      fc.constantFrom(["ztd"], ["pwv"], ["prn"], ["timestamp"], ["station_id"]),
    ),
  )
  .chain(([order, twice]) => wrapped(fc.array(regularRow([...order, ...twice]), { minLength: 1, maxLength: 40 })));
