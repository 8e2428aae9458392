import { resolve } from "node:path";
import type { ExportRequest } from "#shared/file/export.ts";
import { FORMATS } from "#shared/file/formats.ts";
import { formatUtcShort } from "#shared/time/utc.ts";
import { dataFolder as usualFolder } from "../../dataFolder.ts";
import { isNpmScript } from "../../program.ts";

/** The command that starts this program, as the user would type it. */
export function program(env: NodeJS.ProcessEnv): string {
  return isNpmScript(env) ? "npm run zenith --" : "zenith";
}

/** The option that names the data folder; empty if the program would use this folder anyway. */
export function folderOption(dataFolder: string, env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string[] {
  const { ZENITH_HOME: _, ...usual } = env;
  const folder = resolve(dataFolder);
  return folder === resolve(usualFolder(usual)) ? [] : [`--data-folder ${quotedPath(folder, platform)}`];
}

/** Whether a word has no character that a shell treats specially. */
function isPlain(word: string): boolean {
  return /^[A-Za-z0-9._+/:-]+$/.test(word);
}

/** Quotes a path for a shell, if necessary. */
export function quotedPath(path: string, platform: NodeJS.Platform): string {
  if (isPlain(path)) return path;
  return platform === "win32" ? `"${path}"` : `'${path.replaceAll("'", `'\\''`)}'`;
}

/**
 * The command that repeats a saved export after downloading missing data. It contains no secret.
 *
 * @param name as `savedExportName` allows it: none of its characters is special to a shell between double quotes
 * @param dataFolder of this process; named in the command if the program would use another one
 */
export function repeatCommand(
  name: string,
  dataFolder: string,
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  const words = `export --repeat ${isPlain(name) ? name : `"${name}"`} --fetch`;
  return [program(env), words, ...folderOption(dataFolder, env, platform)].join(" ");
}

/** The command that writes the same files. It leaves out missing data and reports it. */
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
    ...optional(intervalSeconds !== null, `--interval ${intervalSeconds}s`),
    ...optional(resampled, "--resample"),
    ...optional(request.zone !== undefined, `--zone ${request.zone}`),
    ...optional(raw, "--raw"),
    ...optional(request.heightReference !== "WGS84_ELLIPSOID", `--height-reference ${request.heightReference}`),
    ...optional(
      FORMATS[format].hasDetails === true && request.stationDetails !== undefined,
      `--station-details ${request.stationDetails}`,
    ),
    ...optional(FORMATS[format].kind === "table" && request.emptyRows === true, "--empty-rows"),
    ...optional(format === "sinex" && request.timeSystem === "gps", "--time-system gps"),
    ...optional(FORMATS[format].kind === "array", `--layout ${request.layout ?? "grid"}`),
    `--format ${format} --out ${quote(fileName)}`,
    `--connection ${quote(connectionName)}`,
    ...folderOption(dataFolder, env, platform),
  ].join(" ");
}

function optional(isSet: boolean, word: string): string[] {
  return isSet ? [word] : [];
}
