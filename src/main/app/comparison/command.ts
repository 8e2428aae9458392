import { formatUtcShort } from "#shared/time/utc.ts";
import { folderOption, program, quotedPath } from "../exports/command.ts";
import type { ProductQuery } from "./product.ts";

interface ReportedSources {
  readonly fileNameA: string | null;
  /** A file, or `cache:` and the name of a connection. */
  readonly nameB: string;
  /** Name of the file with the pressures that PWV is derived from. */
  readonly pressureName: string | null;
  readonly connectionName: string;
  readonly dataFolder: string;
}

/** The command that repeats the report of a comparison, in the folder of the files. @param fileNameA null: A is the cache */
export function compareCommand(
  query: ProductQuery,
  { fileNameA, nameB, pressureName, connectionName, dataFolder }: ReportedSources,
): string {
  const { stationIds, variable, range, mode, pairing, rejectSigmas, height, withinKm, pressure, grid } = query;
  const isOfCache = fileNameA === null;
  const words: readonly (readonly [isSet: boolean, words: string])[] = [
    [true, `${program(process.env)} compare ${fileNameA === null ? "cache" : quote(fileNameA)} ${quote(nameB)}`],
    [true, `--variable ${variable}`],
    [true, `--from ${formatUtcShort(range.startMs)} --to ${formatUtcShort(range.endMs)}`],
    [true, `--pairing ${pairingWord(pairing)} --within ${withinKm}`],
    [rejectSigmas !== null, `--reject ${rejectSigmas}`],
    [height !== "none", `--height ${height}`],
    [pressure !== null, `--pressure ${pressureName === null ? "standard" : quote(pressureName)}`],
    [grid !== "bilinear", `--grid ${grid}`],
    [isOfCache && mode.intervalSeconds !== null, `--interval ${mode.intervalSeconds}s`],
    [isOfCache && mode.raw, "--raw"],
    [true, "--by hour,month,height,value --report report.html"],
    [isOfCache, `--connection ${quote(connectionName)}`],
    [true, folderOption(dataFolder, process.env, process.platform).join(" ")],
    [isOfCache, `--stations ${stationIds.map(quote).join(" ")}`],
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
