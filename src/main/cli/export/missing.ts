import type { JobSpec } from "#shared/job/job.ts";
import type { OpenConnection } from "../../app/connections/connections.ts";
import { quoted } from "../options/place.ts";
import type { Shell } from "../shell.ts";
import { many } from "../terminal/text.ts";
import { formatUtcShort } from "#shared/time/utc.ts";

/** Says that a selection is not wholly in the cache, and what brings the rest. @param words of the stations */
export function warnOfMissing(
  shell: Shell,
  connection: OpenConnection,
  spec: JobSpec,
  words: readonly string[],
): Promise<void> {
  const command = [
    "fetch",
    ...words.map(quoted),
    `--vars ${spec.variables.join(",")}`,
    `--from ${formatUtcShort(spec.range.startMs)} --to ${formatUtcShort(spec.range.endMs)}`,
    ...(spec.intervalSeconds === null ? [] : [`--interval ${spec.intervalSeconds}`]),
    ...(spec.raw ? ["--raw"] : []),
  ].join(" ");
  return sayMissing(shell, connection, spec, command);
}

/** The same, where another command brings the rest: what is absent is never silently so. */
export async function sayMissing(
  shell: Shell,
  connection: OpenConnection,
  spec: JobSpec,
  command: string,
): Promise<void> {
  const { jobs } = await shell.app();
  const missing = jobs.missing(connection, spec);
  if (missing.length === 0) return;
  shell.output.warn(
    `${many(missing.length, "station")} of ${spec.stationIds.length} ${missing.length === 1 ? "lacks" : "lack"} parts of this ` +
      `in the cache, or may have newer ones; what follows is made of what is there. To bring the rest:\n  ${shell.suggest(command)}`,
  );
}
