import type { JobSpec } from "#shared/job/job.ts";
import type { OpenConnection } from "../../app/connections/connections.ts";
import { quoted } from "../options/place.ts";
import type { Shell } from "../shell.ts";
import { many } from "../terminal/text.ts";
import { formatUtcShort } from "#shared/time/utc.ts";

/** Warns if a selection is not completely cached, and suggests a fetch. @param words stations as typed */
export function warnMissingSelection(
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
    ...(spec.intervalSeconds === null ? [] : [`--interval ${spec.intervalSeconds}s`]),
    ...(spec.raw ? ["--raw"] : []),
  ].join(" ");
  return warnMissing(shell, connection, spec, command);
}

/** Warns if a selection is not completely cached. @param command suggested to download the rest */
export async function warnMissing(
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
      `in the cache, or may have newer ones; the result contains only cached data. To download the rest:\n  ${shell.suggest(command)}`,
  );
}
