import { DAY_MS, HOUR_MS, START_MS } from "../meant.ts";
import { above, always, scenario, type Scenario } from "../scenario.ts";
import { answerOf, type Asked, type Behaviour, json, type Reply } from "../server.ts";

// Outages that change over time, and large requests that fail in unusual ways.

const status = (code: number, headers: Readonly<Record<string, string>> = {}): Reply => ({ status: code, headers });
const RESET: Reply = { send: (response) => void response.socket?.resetAndDestroy() };
const half = (asked: Asked): Reply => ({
  ...answerOf(asked.rows()),
  send: (response, body) =>
    void response.write(body.subarray(0, body.length / 2), () => response.socket?.resetAndDestroy()),
});

const until =
  (seconds: number, reply: (asked: Asked) => Reply): (() => Behaviour) =>
  () => ({ series: (asked) => (asked.sinceMs < seconds * 1_000 ? reply(asked) : undefined) });

const KINDS: readonly Reply[] = [status(503), status(502), RESET, status(429), status(504)];

/** Sends this response to every request, also of the catalogue, for a time after its creation. */
const away = (seconds: number, reply: Reply) => (): Behaviour => {
  const endMs = performance.now() + seconds * 1_000;
  const now = (): Reply | undefined => (performance.now() < endMs ? reply : undefined);
  return { catalogue: now, series: now };
};

const later = (seconds: number) => (): Behaviour => {
  let sinceMs: number | null = null;
  return {
    series(asked) {
      if (asked.nth > 2) sinceMs ??= asked.sinceMs;
      return sinceMs !== null && asked.sinceMs < sinceMs + seconds * 1_000 ? RESET : undefined;
    },
  };
};

const DAYS = { days: 5 } as const;
const SHORT = { words: ["--wait-for-service", "10s"], expected: "any", isLong: true } as const;

const OUTAGES: readonly Scenario[] = [
  scenario(
    "outage: all kinds in turn for 8 s",
    until(8, ({ nth }) => KINDS[nth % KINDS.length]!),
    {
      ...DAYS,
      isLong: true,
    },
  ),
  scenario(
    "outage: every second response, always",
    () => ({ series: ({ nth }) => (nth % 2 ? status(503) : undefined) }),
    DAYS,
  ),
  scenario(
    "outage: in every other second for 12 s",
    until(12, (asked) => (Math.floor(asked.sinceMs / 1_000) % 2 ? answerOf(asked.rows()) : status(503))),
    { ...DAYS, isLong: true },
  ),
  scenario("outage: half of each response for 4 s", until(4, half), { ...DAYS, isLong: true }),
  scenario(
    "outage: 521 of a proxy for 3 s",
    until(3, () => status(521)),
    { isLong: true },
  ),
  scenario(
    "outage: Retry-After is negative for 3 s",
    until(3, () => status(503, { "Retry-After": "-5" })),
    {
      isLong: true,
    },
  ),
  scenario(
    "outage: Retry-After is a day, once",
    () => ({
      series: ({ nth }) => (nth === 1 ? status(503, { "Retry-After": "86400" }) : undefined),
    }),
    SHORT,
  ),
  scenario("outage: 10 s, after two responses", later(10), { days: 10, isLong: true }),
  scenario("outage: 503 for 5 s, also of the catalogue", away(5, status(503)), { isLong: true }),
  scenario("outage: resets for 5 s, also of the catalogue", away(5, RESET), { isLong: true }),
];

const bad = (asked: Asked): boolean => {
  const badMs = START_MS + 5 * HOUR_MS;
  return asked.stations.includes(1) && asked.startMs <= badMs && asked.endMs > badMs;
};
const oddHours = ({ stations, startMs, endMs }: Asked): boolean =>
  stations.includes(1) &&
  (endMs - startMs > HOUR_MS || Math.floor(startMs / HOUR_MS) % 2 === 1 || Math.floor((endMs - 1) / HOUR_MS) % 2 === 1);

/** A limit that decreases with every rejected request. */
const decreasing = (): Behaviour => {
  let most = 8_000;
  const refuse = (): Reply => {
    most = Math.max(1_000, most - 700);
    return json({ error: `at most ${most} data points` }, { status: 413 });
  };
  return { series: (asked) => (asked.points > most ? refuse() : undefined) };
};

const LARGE: readonly Scenario[] = [
  scenario(
    "large: 422 above 2,000 points",
    above(2_000, () => status(422)),
  ),
  scenario(
    "large: an error without rows above 2,000 points",
    above(2_000, () => json({ data: [], count: 0, error: "too much" })),
  ),
  scenario(
    "large: half of the body above 2,000 points",
    always((asked) => (asked.points > 2_000 ? half(asked) : answerOf(asked.rows()))),
  ),
  scenario(
    "large: 413 for more than one station",
    always((asked) => (asked.stations.length > 1 ? status(413) : answerOf(asked.rows()))),
  ),
  scenario(
    "large: 500 for more than one station",
    always((asked) => (asked.stations.length > 1 ? status(500) : answerOf(asked.rows()))),
  ),
  scenario("large: a limit that decreases with every rejection", decreasing),
  ...[502, 504].map((code) =>
    scenario(
      `large: ${code} for one bad cell`,
      always((asked) => (bad(asked) ? status(code) : answerOf(asked.rows()))),
      {
        ...SHORT,
        mostRequests: 400,
      },
    ),
  ),
  scenario(
    "large: connections reset for one bad cell",
    always((asked) => (bad(asked) ? RESET : answerOf(asked.rows()))),
    {
      ...SHORT,
      mostRequests: 400,
    },
  ),
  scenario(
    "large: 500 for every second hour of one station",
    always((asked) => (oddHours(asked) ? status(500) : answerOf(asked.rows()))),
    {
      ...SHORT,
      mostRequests: 900,
    },
  ),
  scenario(
    "large: 500 for requests with pwv",
    always((asked) => (asked.variables.includes("pwv") ? status(500) : answerOf(asked.rows()))),
    {
      ...SHORT,
      mostRequests: 900,
    },
  ),
];

const dates: readonly (readonly [string, () => string])[] = [
  ["as in RFC 850", () => new Date().toUTCString().replace(/^(\w+), (\d+) (\w+) \d\d(\d\d)/, "$1day, $2-$3-$4")],
  ["with +0000", () => new Date().toUTCString().replace("GMT", "+0000")],
  ["of the year 1", () => "Mon, 01 Jan 0001 00:00:00 GMT"],
  ["twice in one", () => `${new Date().toUTCString()}, ${new Date(0).toUTCString()}`],
  ["of a year ago, always", () => new Date(Date.now() - 365 * DAY_MS).toUTCString()],
];

export const STORMS: readonly Scenario[] = [
  ...OUTAGES,
  ...LARGE,
  ...dates.map(([form, date]) => scenario(`clocks: Date ${form}`, () => ({ date }), { expected: "rows" })),
];
