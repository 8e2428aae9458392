import type { JobSpec } from "#shared/job/job.ts";
import type { OpenConnection } from "../../app/connections/connections.ts";
import { quoted } from "../options/options.ts";
import type { Shell } from "../shell.ts";
import { many } from "../terminal/text.ts";
import { VARIABLE_NAMES } from "#shared/service/variables.ts";
import { formatRange } from "#shared/time/range.ts";
import { hull, rangeSet } from "#shared/time/rangeset.ts";
import { formatUtcShort } from "#shared/time/utc.ts";
import type { PlanStation } from "../../planner/types.ts";

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
  const isFile = connection.record.kind === "file";
  shell.output.warn(
    `${many(missing.length, "station")} of ${spec.stationIds.length} ${missing.length === 1 ? "lacks" : "lack"} parts of this ` +
      `in the cache, or may have newer ones: ${missingParts(missing)}. The result contains only cached data.` +
      (isFile ? " A session file cannot download the rest." : ` To download the rest:\n  ${shell.suggest(command)}`),
  );
}

/** `ztd, pwv (2 stations, 2026-10-05T00:00:00Z → 2026-10-06T00:00:00Z)`; of several parts, from the first to the last. */
function missingParts(missing: readonly PlanStation[]): string {
  const described = VARIABLE_NAMES.flatMap((variable) => {
    const lacking = missing.flatMap((station) => {
      const ranges = station.missing[variable] ?? [];
      return ranges.length > 0 ? [ranges] : [];
    });
    const where = hull(rangeSet(lacking.flat()));
    const gaps = lacking.some((ranges) => ranges.length > 1) ? "parts of " : "";
    return where ? [{ variable, text: `${many(lacking.length, "station")}, ${gaps}${formatRange(where)}` }] : [];
  });
  const groups = Map.groupBy(described, (d) => d.text);
  return [...groups].map(([text, of]) => `${of.map((d) => d.variable).join(", ")} (${text})`).join("; ");
}
