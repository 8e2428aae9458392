import { resolve } from "node:path";
import { dataFolder as usualFolder } from "../../dataFolder.ts";
import { isNpmScript } from "../../program.ts";

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
  const { ZENITH_HOME: _, ...usual } = env;
  const folder = resolve(dataFolder);
  return [
    isNpmScript(env) ? "npm run zenith --" : "zenith",
    `export --repeat ${isPlain(name) ? name : `"${name}"`} --fetch`,
    ...(folder === resolve(usualFolder(usual)) ? [] : [`--data-folder ${quotedPath(folder, platform)}`]),
  ].join(" ");
}

function isPlain(word: string): boolean {
  return /^[A-Za-z0-9._+/:-]+$/.test(word);
}

function quotedPath(path: string, platform: NodeJS.Platform): string {
  if (isPlain(path)) return path;
  return platform === "win32" ? `"${path}"` : `'${path.replaceAll("'", `'\\''`)}'`;
}
