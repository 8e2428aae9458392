import type { JobSpec } from "#shared/job/job.ts";
import { withImpliedVariables } from "#shared/service/variables.ts";
import { formatUtcShort } from "#shared/time/utc.ts";
import { shellWord } from "../options/paths.ts";

/** A command that downloads a selection. @param words stations as typed */
export function fetchCommand({ variables, range, intervalSeconds, raw }: JobSpec, words: readonly string[]): string {
  return [
    "fetch",
    ...words.map(shellWord),
    `--vars ${variables.join(",")}`,
    `--from ${formatUtcShort(range.startMs)} --to ${formatUtcShort(range.endMs)}`,
    ...(intervalSeconds === null ? [] : [`--interval ${intervalSeconds}s`]),
    ...(raw ? ["--raw"] : []),
  ].join(" ");
}

/** A command that deletes a selection from the cache. @param words stations as typed */
export function forgetCommand({ variables, range }: JobSpec, words: readonly string[]): string {
  return [
    "cache forget --stations",
    ...words.map(shellWord),
    `--vars ${withImpliedVariables(variables).join(",")}`,
    `--from ${formatUtcShort(range.startMs)} --before ${formatUtcShort(range.endMs)}`,
  ].join(" ");
}
