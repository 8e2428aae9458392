import type { Estimate } from "#shared/job/job.ts";
import { LIMITS } from "#shared/service/query.ts";
import {
  SATELLITE_VARIABLES,
  shortName,
  VALUE_VARIABLES,
  type Variable,
  withUncertainty,
} from "#shared/service/variables.ts";
import type { Choice } from "../../ui/choices.tsx";
import { count, duration, many } from "../../ui/text.ts";

/** Intervals in the list, besides the current one. */
const LISTED_SECONDS = [30, 60, 300, 900, 3_600, 21_600, 86_400] as const;
/** List entry for the observations themselves. */
export const NATIVE = "native";
/** List entry for any other interval. */
export const OTHER_INTERVAL = "other";

function words(seconds: number): string {
  if (seconds % 86_400 === 0) return duration(seconds) === "24 h" ? "1 day" : `${seconds / 86_400} days`;
  if (seconds % 3_600 === 0) return `${seconds / 3_600} h`;
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
}

/** Formats an interval: "Every observation" for null, else "15 min means", "1 day means (Europe/Helsinki)". */
export function intervalWords(intervalSeconds: number | null, zone?: string): string {
  if (intervalSeconds === null) return "Every observation";
  return `${words(intervalSeconds)} means${zone === undefined ? "" : ` (${zone})`}`;
}

export function intervalChoices(current: number | null): Choice<typeof NATIVE | typeof OTHER_INTERVAL | number>[] {
  const offered = new Set<number>(LISTED_SECONDS);
  if (current !== null) offered.add(current);
  const sorted = [...offered].toSorted((a, b) => a - b);
  return [
    { value: NATIVE, label: intervalWords(null) },
    ...sorted.map((seconds) => ({ value: seconds, label: intervalWords(seconds) })),
    { value: OTHER_INTERVAL, label: "Other means…" },
  ];
}

const UNIT_SECONDS: Readonly<Record<string, number>> = { "": 1, s: 1, m: 60, min: 60, h: 3_600, d: 86_400 };
const MAX_SECONDS = 31_622_400;

/** Parses "10 min", "90 s", "2 h" or a number of seconds; null if it is invalid or not supported by the service. */
export function parseInterval(text: string): number | null {
  const [, digits, unit = ""] = /^(\d{1,8})\s*([a-z]*)$/.exec(text.trim().toLowerCase()) ?? [];
  const seconds = Number(digits) * (UNIT_SECONDS[unit] ?? Number.NaN);
  return seconds >= LIMITS.intervalSeconds.min && seconds <= MAX_SECONDS ? seconds : null;
}

/**
 * Formats what a download costs: "86,400 points · ~9 requests · ~12 s". The points are exact; the service may refuse the
 * size of a request, and absences are confirmed by further ones.
 */
export function costWords({ pointsToFetch, requests, seconds }: Estimate): string {
  const time = seconds === null ? "" : ` · ~${duration(seconds)}`;
  return `${many(pointsToFetch, "point")} · ~${many(requests, "request")}${time}`;
}

/** Label of a download button, with the cost. */
export function fetchWords(cost: Estimate, isOffline: boolean): string {
  return `${isOffline ? "Fetch when online:" : "Fetch"} ${costWords(cost)}`;
}

/** Counts the stations that the key has no access to; null if there are none. */
export function forbiddenWords({ forbiddenStationIds }: Estimate): string | null {
  const forbidden = forbiddenStationIds.length;
  return forbidden === 0 ? null : `No access to ${many(forbidden, "station")}`;
}

/** Describes a download of nothing. It names the variables, because a view may show others too. */
export function completeWords({ forbiddenStationIds }: Estimate, variables: readonly Variable[]): string {
  if (forbiddenStationIds.length > 0) return "Everything else is cached";
  const values = VALUE_VARIABLES.filter((value) => withUncertainty(value).some((v) => variables.includes(v)));
  const hasSatellites = SATELLITE_VARIABLES.some((v) => variables.includes(v));
  const names = [...values.map(shortName), ...(hasSatellites ? ["satellites"] : [])];
  return `Cached: ${AND.format(names)}`;
}

/** “ZTD, PWV and satellites” */
const AND = new Intl.ListFormat("en-GB");

/** Describes a range in the future, instead of an offer to fetch it. */
export const FUTURE_WORDS = "No data can exist in this range yet.";

/** Describes the share of the selection that needs no request. */
export function knownWords({
  pointsRequested,
  pointsKnown,
}: Pick<Estimate, "pointsRequested" | "pointsKnown">): string {
  if (pointsRequested === 0) return "No data can exist in this range";
  return `${count(pointsKnown)} of ${many(pointsRequested, "point")} are downloaded`;
}
