import { z } from "zod";
import { connectionId, readMode, stationIds, variables } from "../bridge/methods/words.ts";
import type { JobSpec } from "../job/job.ts";
import { HEIGHT_REFERENCES } from "../service/catalogue.ts";
import { withImpliedVariables } from "../service/variables.ts";
import type { UtcMs } from "../time/utc.ts";
import { EXPORT_FORMATS, type ExportRequest, FILE_LAYOUTS, STATION_DETAILS } from "./export.ts";
import { rangeAt, savedRange } from "./savedRange.ts";
import { templateProblem } from "./template.ts";

/** A template for names that can be used; else the sentence that says why not. */
export const template = z.string().check((checked) => {
  const problem = templateProblem(checked.value);
  if (problem !== null) checked.issues.push({ code: "custom", message: problem, input: checked.value });
});

/** Only what no shell of any system takes for more than a letter, so that a command with the name can be copied. */
export const savedExportName = z
  .string()
  .trim()
  .min(1, "a saved export needs a name")
  .max(60, "a name has 60 characters at most")
  .regex(/^[\p{L}\p{N}][\p{L}\p{M}\p{N} .,_+()-]*$/u, "use letters, digits, spaces and . , _ + - ( )");

/** What is asked of a format: see `ExportRequest`. */
export const formatChoices = {
  layout: z.enum(FILE_LAYOUTS).optional(),
  stationDetails: z.enum(STATION_DETAILS).optional(),
  emptyRows: z.boolean().optional(),
};

export const savedExport = readMode.extend({
  name: savedExportName,
  connectionId,
  stationIds,
  variables,
  range: savedRange,
  format: z.enum(EXPORT_FORMATS),
  heightReference: z.enum(HEIGHT_REFERENCES),
  ...formatChoices,
  template,
});

/** An export under a name, to be repeated. */
export type SavedExport = z.output<typeof savedExport>;

/** What a saved export means at a moment. */
export function requestAt(saved: SavedExport, nowMs: UtcMs): Omit<ExportRequest, "path"> {
  const { name: _, connectionId: __, template: ___, range, ...rest } = saved;
  return { ...rest, range: rangeAt(range, nowMs) };
}

/** What has to be in the cache for an export: native rows where averages are computed here. */
export function neededFor(request: Omit<ExportRequest, "path">): JobSpec {
  const { stationIds, variables, range, raw, resampled, intervalSeconds } = request;
  return {
    stationIds,
    variables: withImpliedVariables(variables),
    range,
    raw,
    intervalSeconds: resampled ? null : intervalSeconds,
  };
}
