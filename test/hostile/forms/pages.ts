import { always, scenario, type Scenario } from "../scenario.ts";
import { answerOf, json } from "../server.ts";
import { isObserved } from "../meant.ts";

// Responses with the first thousand rows of more, marked in an unusual way or not at all.

const ROWS = 1_000;

const FIELDS: readonly (readonly [string, object])[] = [
  ["no other field", {}],
  ["page and pages", { page: 1, pages: 8 }],
  ["page and page_count, in meta", { meta: { page: 1, page_count: 8 } }],
  ["total_pages alone", { total_pages: 8 }],
  ["offset, limit and total", { offset: 0, limit: ROWS, total: 7_800 }],
  ["numFound", { numFound: 7_800 }],
  ["recordsTotal", { recordsTotal: 7_800 }],
  ["hits with a total", { hits: { total: 7_800 } }],
  ["@odata.count", { "@odata.count": 7_800 }],
  ["a cursor", { cursor: "abc" }],
  ["scroll_id", { scroll_id: "abc" }],
  ["resume_token", { resume_token: "abc" }],
  ["next_start_time", { next_start_time: "2026-03-10T05:00:00Z" }],
  ["links with a next", { _links: { next: { href: "/api/v1/measurements/query?page=2" } } }],
  ["rows_omitted", { rows_omitted: 6_800 }],
  ["limit_reached", { limit_reached: true }],
  ["moreResultsAvailable", { moreResultsAvailable: true }],
  ["code: TRUNCATED", { code: "TRUNCATED" }],
  ["shards_failed", { shards_failed: 1 }],
];

const HEADERS: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ["Link to the next", { Link: '</api/v1/measurements/query?page=2>; rel="next"' }],
  ["Content-Range", { "Content-Range": "items 0-999/7800" }],
  ["X-Total-Count", { "X-Total-Count": "7800" }],
  ["Warning", { Warning: '199 - "only the first 1000 rows"' }],
];

const HOUR_MS = 3_600_000;
/** The first hundred epochs of 30 s of an hour. */
const isEarly = (timeMs: number): boolean => timeMs % HOUR_MS < 100 * 30_000;

const firstRows = (beside: object, headers: Readonly<Record<string, string>> = {}) =>
  always((asked) => {
    const rows = asked.rows();
    if (rows.length <= ROWS) return answerOf(rows);
    return json({ data: rows.slice(0, ROWS), count: ROWS, ...beside }, { headers });
  });

export const PAGES: readonly Scenario[] = [
  scenario(
    "pages: each hour has only a hundred rows",
    always((asked) => answerOf(asked.rows().filter((row) => isEarly(Date.parse(row["timestamp"] as string))))),
    {
      means: (station, timeMs) => isObserved(station, timeMs) && isEarly(timeMs),
      // Hours without a row are requested again later, and must not be reported as failed.
      expected: "any",
      prints: /^(?![^]*failed)/,
    },
  ),
  ...FIELDS.map(([form, beside]) => scenario(`pages: 1,000 rows of more, with ${form}`, firstRows(beside))),
  ...HEADERS.map(([form, headers]) =>
    scenario(`pages: 1,000 rows of more, with the header ${form}`, firstRows({}, headers)),
  ),
];
