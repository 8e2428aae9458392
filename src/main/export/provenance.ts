import type { FileProvenance } from "#formats/source.ts";
import { type Variable, variableInfo } from "#shared/service/variables.ts";
import { formatUtcShort } from "#shared/time/utc.ts";
import { PROGRAM } from "../program.ts";
import type { ExportDescription } from "./describe.ts";
import type { ExportRequest } from "#shared/file/export.ts";

/**
 * Where the rows of an exported file come from, for its global attributes.
 *
 * @param variables those of this file: what was asked may fill two
 */
export function provenanceOf(
  request: ExportRequest,
  variables: readonly Variable[],
  description: ExportDescription,
): FileProvenance {
  const labels = variables.map((v) => variableInfo(v).label);
  const averaging = request.intervalSeconds === null ? "every observation" : `${request.intervalSeconds} s means`;
  const made = request.resampled ? ", averaged locally from native observations" : "";
  return {
    title: `${labels.join(", ")}, ${formatUtcShort(request.range.startMs)} to ${formatUtcShort(request.range.endMs)}`,
    summary: `GNSS-derived measurements of ${request.stationIds.length} reference stations, ${averaging}${made}.`,
    institution: description.institution,
    serviceOrigin: description.serviceOrigin,
    program: PROGRAM,
    createdAtMs: description.createdAtMs,
    query: JSON.stringify({
      station_ids: request.stationIds,
      data_vars: request.variables,
      start_time: formatUtcShort(request.range.startMs),
      end_time: formatUtcShort(request.range.endMs),
      interval_seconds: request.intervalSeconds,
      raw: request.raw,
    }),
    coverage: description.coverageSentence,
  };
}
