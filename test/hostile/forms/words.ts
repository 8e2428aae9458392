import { always, scenario, type Scenario, whenNew } from "../scenario.ts";
import { type Asked, json, type Reply } from "../server.ts";

// Messages in responses, with rows or instead of them.

/** Each means that the rows are incomplete. */
const BESIDE: readonly (readonly [string, object])[] = [
  ["error: true", { error: true }],
  ["error: a code", { error: { code: 503 } }],
  ["errors by name", { errors: { store: "shard 2 is down" } }],
  ["errors: a list of texts", { errors: ["shard 2 is down"] }],
  ["errors: a list with a null", { errors: [null, { code: "E17" }] }],
  ["error_message", { error_message: "shard 2 is down" }],
  ["errorMessage", { errorMessage: "shard 2 is down" }],
  ["error_description", { error: null, error_description: "shard 2 is down" }],
  ["errorCode", { errorCode: "E17" }],
  ["fault", { fault: { faultstring: "shard 2 is down" } }],
  ["warnings: a list of objects", { warnings: [{ code: 7, message: "only half of the data could be read" }] }],
  ["message", { message: "the result is incomplete" }],
  ["msg", { msg: "store is down" }],
  ["success: 0", { success: 0 }],
  ['success: "false"', { success: "false" }],
  ["ok: false", { ok: false }],
  ['status: "error"', { status: "error" }],
  ['status: "degraded"', { status: "degraded" }],
  ["status: an object with a code", { status: { code: 500, text: "Internal" } }],
  ["statusCode: 500", { statusCode: 500 }],
  ['result: "FAILED"', { result: "FAILED" }],
  ['partial: "true"', { partial: "true" }],
  ["truncated: 1", { truncated: 1 }],
  ["is_partial", { is_partial: true }],
  ["complete: false", { complete: false }],
  ['complete: "no"', { complete: "no" }],
  ["timed_out", { timed_out: true }],
  ["exceededTransferLimit", { exceededTransferLimit: true }],
  ["has_more", { has_more: true }],
  ["hasNext", { hasNext: true }],
  ["next_page_token", { next_page_token: "abc" }],
  ["links with a next", { links: { next: "/api/v1/measurements/query?page=2" } }],
  ["links: a list with a next", { links: [{ rel: "next", href: "/api/v1/measurements/query?page=2" }] }],
  ["pagination of 2 pages", { pagination: { page: 1, total_pages: 2 } }],
  ["shards that failed", { _shards: { total: 5, successful: 4, failed: 1 } }],
  ["total: all rows", { total: 7_800 }],
  ["meta with the total of all rows", { meta: { total_rows: 7_800 } }],
  ["count: a million", { count: 1_000_000 }],
];

const half = (asked: Asked, beside: object): Reply => {
  const rows = asked.rows();
  return json({ data: rows.slice(0, rows.length / 2), count: Math.floor(rows.length / 2), ...beside });
};

/** None of them makes complete rows doubtful. */
const HARMLESS: readonly (readonly [string, object])[] = [
  ["error: null", { error: null }],
  ["errors: []", { errors: [] }],
  ["errors: {}", { errors: {} }],
  ['error: ""', { error: "" }],
  ["warnings: []", { warnings: [] }],
  ['status: "ok"', { status: "ok" }],
  ['status: "complete"', { status: "complete" }],
  ["status: 200", { status: 200 }],
  ["success: true", { success: true }],
  ["has_more: false", { has_more: false }],
  ["next: null", { next: null }],
  ["took", { took: 12, took_ms: 12.5 }],
  ["a licence", { license: "CC-BY", attribution: "Hostile Network" }],
];

/** Instead of rows. */
const INSTEAD: readonly (readonly [string, object])[] = [
  ["a count and an error", { count: 0, error: "store is down" }],
  ["data: a text", { data: "store is down" }],
  ["data: false", { data: false, count: 0 }],
  ["data: 0", { data: 0, count: 0 }],
  ["data: an object without fields", { data: {}, count: 0 }],
  ["data: a list with an error", { data: [{ error: "store is down" }], count: 1 }],
  ["data: a list with null", { data: [null], count: 1 }],
  ["data: a list of empty objects", { data: [{}, {}], count: 2 }],
  ["rows in another field", { rows: [], count: 0 }],
  ["no data, and a count of rows", { data: [], count: 5_000 }],
  ["no data, and a total of rows", { data: [], count: 0, total: 5_000 }],
  ["only a status", { status: "pending" }],
  ["a queued job", { job_id: "a1", status: "queued" }],
  ["the health of the service", { status: "ok", version: "1.2.3" }],
];

/** Without rows, in unusual fields. */
const STRANGE: readonly (readonly [string, object])[] = [
  ["code: a text", { code: "STORE_TIMEOUT" }],
  ["debug", { debug: "shard 2 unreachable" }],
  ["debug with an exception", { debug: { exception: "IOException" } }],
  ["diagnostics", { diagnostics: [{ severity: "ERROR", text: "store is down" }] }],
  ["alerts", { alerts: [{ text: "data store unavailable" }] }],
  ["level: error", { level: "error" }],
  ["stack", { stack: "at Store.read (store.js:17)" }],
  ["statusText", { statusText: "Service Unavailable" }],
  ["timeout: true", { timeout: true }],
  ["maintenance: true", { maintenance: true }],
  ["retry_after", { retry_after: 30 }],
  ["missing_shards", { missing_shards: 2 }],
  ["failed_stations", { failed_stations: ["a"] }],
];

const ALWAYS_UNUSABLE = { expected: "any", isLong: true, words: ["--wait-for-service", "10s"] } as const;

export const WORDS: readonly Scenario[] = [
  ...BESIDE.flatMap(([form, beside]) => [
    scenario(
      `words: ${form}, with half of the rows, of new cells`,
      whenNew((asked) => half(asked, beside)),
    ),
    scenario(
      `words: ${form}, without rows, of new cells`,
      whenNew(() => json({ data: [], count: 0, ...beside })),
      { expected: "later" },
    ),
  ]),
  ...STRANGE.map(([form, beside]) =>
    scenario(
      `words: ${form}, without rows, always`,
      always(() => json({ data: [], count: 0, ...beside })),
      { ...ALWAYS_UNUSABLE, prints: /cannot be used/ },
    ),
  ),
  ...HARMLESS.map(([form, beside]) =>
    scenario(
      `words: ${form}, with all rows`,
      always((asked) => json({ data: asked.rows(), count: asked.rows().length, ...beside })),
    ),
  ),
  ...INSTEAD.flatMap(([form, body]) => [
    scenario(
      `words: ${form}, of new cells`,
      whenNew(() => json(body)),
      { expected: "later" },
    ),
    scenario(
      `words: ${form}, always`,
      always(() => json(body)),
      ALWAYS_UNUSABLE,
    ),
  ]),
  scenario(
    "words: an error in some rows instead of their values, of new cells",
    whenNew((asked) =>
      json({
        data: asked
          .rows()
          .map(({ ztd, ztd_sigma, pwv, ...row }, i) =>
            i % 20 === 7 ? { ...row, error: "timeout" } : { ...row, ztd, ztd_sigma, pwv },
          ),
        count: asked.rows().length,
      }),
    ),
  ),
  scenario(
    "words: an error and nulls in some rows, of new cells",
    whenNew((asked) =>
      json({
        data: asked
          .rows()
          .map((row, i) =>
            i % 20 === 7
              ? { ...row, ztd: null, ztd_sigma: null, pwv: null, error: "timeout" }
              : { ...row, error: null },
          ),
        count: asked.rows().length,
      }),
    ),
  ),
];
