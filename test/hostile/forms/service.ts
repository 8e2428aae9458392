import { DAY_MS, HOUR_MS, isObserved, START_MS } from "../meant.ts";
import { above, always, each, scenario, type Answer, type Scenario } from "../scenario.ts";
import { UNUSABLE } from "../scenario.ts";
import { answerOf, type Asked, type Behaviour, json, type Reply } from "../server.ts";

// A service that is away, refuses large requests, or has a wrong clock.

const status = (code: number, headers: Readonly<Record<string, string>> = {}): Reply => ({
  status: code,
  headers,
  body: '{"error":"no"}',
});
const RESET: Reply = { send: (response) => void response.socket?.resetAndDestroy() };
const half: Answer = (asked) => ({
  ...answerOf(asked.rows()),
  send: (response, body) =>
    void response.write(body.subarray(0, body.length / 2), () => response.socket?.resetAndDestroy()),
});
const HTML: Reply = {
  status: 502,
  headers: { "Content-Type": "text/html" },
  body: "<html><h1>Bad gateway</h1></html>",
};
const KINDS = [status(503), HTML, RESET, status(429), status(504)];

const until =
  (seconds: number, reply: Answer): (() => Behaviour) =>
  () => ({ series: (asked) => (asked.sinceMs < seconds * 1_000 ? reply(asked) : undefined) });

/** Sends this response to every request, also of the catalogue, for a time after its creation. */
const away = (seconds: number, reply: Reply) => (): Behaviour => {
  const endMs = performance.now() + seconds * 1_000;
  const now = (): Reply | undefined => (performance.now() < endMs ? reply : undefined);
  return { catalogue: now, series: now };
};

/** Sends this response for some seconds after the first responses. */
const after =
  (responses: number, seconds: number, first: Answer = () => RESET) =>
  (): Behaviour => {
    let sinceMs: number | null = null;
    return {
      series(asked) {
        if (asked.nth <= responses) return undefined;
        if (sinceMs === null) {
          sinceMs = asked.sinceMs;
          return first(asked);
        }
        return asked.sinceMs < sinceMs + seconds * 1_000 ? RESET : undefined;
      },
    };
  };

const OUTAGES: Readonly<Record<string, () => Behaviour>> = {
  "503 for 1 s": until(1, () => status(503)),
  "resets for 1 s": until(1, () => RESET),
  "429 without Retry-After for 1 s": until(1, () => status(429)),
  "2 s in the middle of a body": after(0, 2, half),
  "every second response": () => ({ series: ({ nth }) => (nth % 2 ? status(503) : undefined) }),
};
const LONG_OUTAGES: Readonly<Record<string, () => Behaviour>> = {
  "503 for 60 s": until(60, () => status(503)),
  "all kinds in turn for 8 s": until(8, ({ nth }) => KINDS[nth % KINDS.length]!),
  "half of each response for 4 s": until(4, half),
  "a negative Retry-After for 3 s": until(3, () => status(503, { "Retry-After": "-5" })),
  "10 s, after two responses": after(2, 10),
  "503 for 5 s, also of the catalogue": away(5, status(503)),
};

const badMs = START_MS + 17 * HOUR_MS;
const isBad = (asked: Asked): boolean => asked.stations.includes(1) && asked.startMs <= badMs && asked.endMs > badMs;
const isOddHour = (ms: number): boolean => Math.floor(ms / HOUR_MS) % 2 === 1;
const oddHours = ({ stations, startMs, endMs }: Asked): boolean =>
  stations.includes(1) && (endMs - startMs > HOUR_MS || isOddHour(startMs) || isOddHour(endMs - 1));
const when = (is: (asked: Asked) => boolean, reply: Answer) =>
  always((asked) => (is(asked) ? reply(asked) : answerOf(asked.rows())));

/** A limit that decreases with every rejected request. */
const decreasing = (): Behaviour => {
  let most = 8_000;
  const refuse = (): Reply => {
    most = Math.max(1_000, most - 700);
    return json({ error: `at most ${most} data points` }, { status: 413 });
  };
  return { series: (asked) => (asked.points > most ? refuse() : undefined) };
};

/** Everything arrives, in smaller requests. */
const LARGE: Readonly<Record<string, () => Behaviour>> = {
  "413 without a number above 2,000 points": above(2_000, () => ({ status: 413, body: "" })),
  "an error without rows above 2,000 points": above(2_000, () => json({ data: [], count: 0, error: "too much" })),
  "half of the body above 2,000 points": when((asked) => asked.points > 2_000, half),
  "413 for more than one station": when(
    (asked) => asked.stations.length > 1,
    () => status(413),
  ),
  "a limit that decreases with every rejection": decreasing,
};
const SLOWLY_LARGE: Readonly<Record<string, () => Behaviour>> = {
  ...Object.fromEntries(
    [500, 504, 408].map((code) => [`${code} above 2,000 points`, above(2_000, () => status(code))]),
  ),
  "resets above 2,000 points": above(2_000, () => RESET),
};
const PARTS: Readonly<Record<string, () => Behaviour>> = {
  ...Object.fromEntries([500, 504].map((code) => [`${code} for one bad cell`, when(isBad, () => status(code))])),
  "resets for one bad cell": when(isBad, () => RESET),
  "500 for every second hour of one station": when(oddHours, () => status(500)),
  "500 for requests with pwv": when(
    (asked) => asked.variables.includes("pwv"),
    () => status(500),
  ),
};

// Clocks. The requested day ends with the start of the current hour.

const nowMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
const RECENT = {
  startMs: nowMs - DAY_MS,
  expected: "rows",
  means: (station: number, timeMs: number) => timeMs < nowMs && isObserved(station, timeMs),
} as const;

/** The service has no data after the current hour began. */
const upToNow = (date?: Behaviour["date"]) => (): Behaviour => ({
  series: (asked) => answerOf(asked.rows().filter((row) => Date.parse(row["timestamp"] as string) < nowMs)),
  ...(date && { date }),
});

/** Changes the clock of the program by this number of days. */
const clockOff = (days: number) => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(
    `const D=Date,by=${days * DAY_MS};globalThis.Date=class extends D{constructor(...a){if(a.length)super(...a);else super(D.now()+by)}static now(){return D.now()+by}}`,
  )}`,
});
const OFFS = [-3_650, -3, 0.25, 3_650];

const utc = (): string => new Date().toUTCString();
const DATES: Readonly<Record<string, NonNullable<Behaviour["date"]>>> = {
  absent: () => null,
  "as in RFC 850": () => utc().replace(/^(\w+), (\d+) (\w+) \d\d(\d\d)/, "$1day, $2-$3-$4"),
  "twice in one": () => `${utc()}, ${new Date(0).toUTCString()}`,
  "ten years ago, once": (nth) => Date.now() - (nth === 1 ? 3_650 * DAY_MS : 0),
  "ten years ahead, once": (nth) => Date.now() + (nth === 1 ? 3_650 * DAY_MS : 0),
  "three days ago, every second": (nth) => Date.now() - (nth % 2 ? 3 * DAY_MS : 0),
  ...Object.fromEntries(OFFS.map((days) => [`off by ${days} days`, () => Date.now() + days * DAY_MS])),
};

export const SERVICE: readonly Scenario[] = [
  ...each(["outages"], OUTAGES, (behaviour) => behaviour, { days: 5 }),
  ...each(["outages"], LONG_OUTAGES, (behaviour) => behaviour, { days: 10, isLong: true }),
  scenario(
    "outages: Retry-After is a day, once",
    () => ({ series: ({ nth }) => (nth === 1 ? status(503, { "Retry-After": "86400" }) : undefined) }),
    UNUSABLE,
  ),
  scenario(
    "outages: 503 always, wait of 1 s",
    always(() => status(503)),
    {
      expected: "any",
      words: ["--wait-for-service", "1s"],
      prints: /Nothing was answered/,
      mostRequests: 20,
    },
  ),
  scenario(
    "outages: 503 for 1 s, wait of 10 min",
    until(1, () => status(503)),
    { words: ["--wait-for-service", "10m"] },
  ),
  ...each(["sizes"], LARGE, (behaviour) => behaviour),
  ...each(["sizes"], SLOWLY_LARGE, (behaviour) => behaviour, { isLong: true }),
  ...each(["sizes"], PARTS, (behaviour) => behaviour, { ...UNUSABLE, mostRequests: 900 }),
  scenario("clocks: correct, the day up to now", upToNow(), RECENT),
  ...each(["clocks", "the day up to now"], DATES, upToNow, RECENT),
  scenario(
    "clocks: Dates that jump at random, a past day",
    () => ({ date: (nth) => START_MS + ((nth * 7_919) % 1_000) * DAY_MS }),
    { expected: "later" },
  ),
  ...OFFS.flatMap((days) => {
    const environment = clockOff(days);
    return [
      scenario(`clocks: this computer off by ${days} days, a past day`, () => ({}), { environment }),
      scenario(`clocks: this computer off by ${days} days, the day up to now`, upToNow(), { ...RECENT, environment }),
      ...(days === -3
        ? [
            scenario(
              `clocks: this computer off by ${days} days, no Date, the day up to now`,
              upToNow(() => null),
              { ...RECENT, environment },
            ),
          ]
        : []),
    ];
  }),
];
