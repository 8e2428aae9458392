import { lowerFirst } from "#shared/text.ts";
import { FORMATS } from "#shared/file/formats.ts";
import { PERIODS, type SavedExport, savedRangeText } from "#shared/file/savedExport.ts";
import { intervalWords } from "../fetch/labels.ts";
import { rangeWords, variableWords } from "../jobs/labels.ts";

export const NAME_PROBLEM = "Use up to 60 letters, digits, spaces and . , _ + - ( ), which the command line accepts.";

/** Summarizes a saved export in one line. */
export function savedWords({ variables, range, intervalSeconds, zone, raw, format, figure }: SavedExport): string {
  return [
    variableWords(variables),
    range.kind === "relative" ? PERIODS[range.period].toLowerCase() : savedRangeText(range, rangeWords),
    lowerFirst(intervalWords(intervalSeconds, zone)),
    ...(raw ? ["raw"] : []),
    FORMATS[format].name,
    ...(figure ? ["figure"] : []),
  ].join(" · ");
}
