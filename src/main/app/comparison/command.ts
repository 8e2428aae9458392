import { formatUtcShort } from "#shared/time/utc.ts";
import { folderWords, program, quotedPath } from "../commandWords.ts";
import type { ProductQuery } from "./product.ts";

/** What makes the report of a comparison again, in the folder of the file. */
export function compareCommand(
  query: ProductQuery,
  { fileName, connectionName, dataFolder }: { fileName: string; connectionName: string; dataFolder: string },
): string {
  const { stationIds, variable, range, mode, pairing, rejectSigmas, height, withinKm } = query;
  const words: readonly (readonly [isSet: boolean, words: string])[] = [
    [true, `${program(process.env)} compare cache ${quote(fileName)}`],
    [true, `--variable ${variable}`],
    [true, `--from ${formatUtcShort(range.startMs)} --to ${formatUtcShort(range.endMs)}`],
    [true, `--pairing ${pairingWord(pairing)} --within ${withinKm}`],
    [rejectSigmas !== null, `--reject ${rejectSigmas}`],
    [height !== "none", `--height ${height}`],
    [mode.intervalSeconds !== null, `--interval ${mode.intervalSeconds}`],
    [mode.raw, "--raw"],
    [true, `--by hour,month,height,value --report report.html --connection ${quote(connectionName)}`],
    [true, folderWords(dataFolder, process.env, process.platform).join(" ")],
    [true, `--stations ${stationIds.map(quote).join(" ")}`],
  ];
  return words.flatMap(([isSet, text]) => (isSet && text !== "" ? [text] : [])).join(" ");
}

function quote(word: string): string {
  return quotedPath(word, process.platform);
}

function pairingWord(pairing: ProductQuery["pairing"]): string {
  const { kind } = pairing;
  const ms = kind === "nearest" ? pairing.toleranceMs : kind === "mean" ? pairing.intervalMs : pairing.mostGapMs;
  return ms === null ? kind : `${kind}:${ms / 1_000}s`;
}
