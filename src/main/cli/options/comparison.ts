import type { Pairing } from "#shared/comparison.ts";
import { GROUPINGS, type Grouping } from "#shared/comparison.ts";
import { failure, success } from "#shared/service/error.ts";
import type { Parsed } from "../command.ts";
import { parseDuration } from "./parse.ts";

const PAIRING_HINT = "Write nearest, nearest:60s, mean:1h, linear or linear:30m.";

/** Parses `nearest`, `nearest:60s`, `mean:1h`, `linear` or `linear:30m`. */
export function parsePairing(text: string): Parsed<Pairing> {
  const [, kind, words] = /^(nearest|mean|linear)(?::(.+))?$/.exec(text.trim()) ?? [];
  if (kind === undefined) return failure(`“${text}” is not a way to pair epochs. ${PAIRING_HINT}`);
  const seconds = words === undefined ? null : parseDuration(words);
  if (seconds !== null && !seconds.ok) return seconds;
  const ms = seconds === null ? null : seconds.value * 1_000;
  if (kind === "nearest") return success({ kind, toleranceMs: ms });
  if (kind === "linear") return success({ kind, mostGapMs: ms });
  return ms === null ? failure(`“mean” needs an interval. ${PAIRING_HINT}`) : success({ kind: "mean", intervalMs: ms });
}

export function parseGroupings(text: string): Parsed<Grouping[]> {
  const words = text.split(",").map((word) => word.trim());
  const unknown = words.find((word) => !GROUPINGS.some((grouping) => grouping === word));
  if (unknown !== undefined) return failure(`“${unknown}” is not a grouping. Available: ${GROUPINGS.join(", ")}.`);
  return success(GROUPINGS.filter((grouping) => words.includes(grouping)));
}

interface MatchWords {
  readonly a: string;
  /** Null: no match; undefined: automatic. */
  readonly b: string | null | undefined;
}

/** Parses `SITE=STATION`, `SITE=none` or `SITE=auto`. */
export function parseMatch(text: string): Parsed<MatchWords> {
  const at = text.indexOf("=");
  const [a, b] = [text.slice(0, at).trim(), text.slice(at + 1).trim()];
  if (at < 1 || a === "" || b === "")
    return failure(`“${text}” is not a match. Write SITE=STATION, SITE=none or SITE=auto.`);
  return success({ a, b: b === "none" ? null : b === "auto" ? undefined : b });
}
