import type { SavedExport } from "#shared/file/savedExport.ts";
import { intervalWords } from "../fetch/intervals.ts";
import { variableWords } from "../jobs/words.ts";
import { EXPORT_WORDS } from "./formats.ts";
import { savedRangeText } from "./ranges.ts";

export const NAME_PROBLEM = "Use up to 60 letters, digits, spaces and . , _ + - ( ), which the command line accepts.";

/** Summarizes a saved export in one line. */
export function savedWords({ variables, range, intervalSeconds, raw, format, figure }: SavedExport): string {
  return [
    variableWords(variables),
    range.kind === "relative" ? savedRangeText(range).toLowerCase() : savedRangeText(range),
    intervalWords(intervalSeconds).toLowerCase(),
    ...(raw ? ["raw"] : []),
    EXPORT_WORDS[format].name,
    ...(figure ? ["figure"] : []),
  ].join(" · ");
}
