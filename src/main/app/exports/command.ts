import { ARRAY_FORMATS, DETAILED_FORMATS, type ExportRequest, TABLE_FORMATS } from "#shared/file/export.ts";
import { formatUtcShort } from "#shared/time/utc.ts";
import { folderWords, isPlain, program, quotedPath } from "../commandWords.ts";

/**
 * What repeats a saved export from the command line, fetching what is missing first. There is nothing secret in it.
 *
 * @param name as `savedExportName` allows it: between double quotes no shell takes any of it for more than a letter
 * @param dataFolder of the program that says so; named where another one would be taken without
 */
export function repeatCommand(
  name: string,
  dataFolder: string,
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  const words = `export --repeat ${isPlain(name) ? name : `"${name}"`} --fetch`;
  return [program(env), words, ...folderWords(dataFolder, env, platform)].join(" ");
}

/** What writes the same files from the command line; what is missing it leaves out, and says so. */
export function exportCommand(
  request: Omit<ExportRequest, "path">,
  { fileName, connectionName, dataFolder }: { fileName: string; connectionName: string; dataFolder: string },
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  const { stationIds, variables, range, intervalSeconds, raw, resampled, format } = request;
  const quote = (word: string): string => quotedPath(word, platform);
  return [
    program(env),
    "export",
    ...stationIds.map(quote),
    `--vars ${variables.join(",")}`,
    `--from ${formatUtcShort(range.startMs)} --to ${formatUtcShort(range.endMs)}`,
    ...flag(intervalSeconds !== null, `--interval ${intervalSeconds}`),
    ...flag(resampled, "--resample"),
    ...flag(raw, "--raw"),
    ...flag(request.heightReference !== "WGS84_ELLIPSOID", `--height-reference ${request.heightReference}`),
    ...flag(
      DETAILED_FORMATS.has(format) && request.stationDetails !== undefined,
      `--station-details ${request.stationDetails}`,
    ),
    ...flag(TABLE_FORMATS.has(format) && request.emptyRows === true, "--empty-rows"),
    ...flag(ARRAY_FORMATS.has(format), `--layout ${request.layout ?? "grid"}`),
    `--format ${format} --out ${quote(fileName)}`,
    `--connection ${quote(connectionName)}`,
    ...folderWords(dataFolder, env, platform),
  ].join(" ");
}

function flag(isSet: boolean, word: string): string[] {
  return isSet ? [word] : [];
}
