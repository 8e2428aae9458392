import { resolve } from "node:path";
import { dataFolder as usualFolder } from "../dataFolder.ts";
import { isNpmScript } from "../program.ts";

/** How the user starts this program. */
export function program(env: NodeJS.ProcessEnv): string {
  return isNpmScript(env) ? "npm run zenith --" : "zenith";
}

/** The option that names the data folder, where another one would be taken without it. */
export function folderWords(dataFolder: string, env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string[] {
  const { ZENITH_HOME: _, ...usual } = env;
  const folder = resolve(dataFolder);
  return folder === resolve(usualFolder(usual)) ? [] : [`--data-folder ${quotedPath(folder, platform)}`];
}

/** No shell takes any of it for more than a letter. */
export function isPlain(word: string): boolean {
  return /^[A-Za-z0-9._+/:-]+$/.test(word);
}

/** A path as one word of a shell. */
export function quotedPath(path: string, platform: NodeJS.Platform): string {
  if (isPlain(path)) return path;
  return platform === "win32" ? `"${path}"` : `'${path.replaceAll("'", `'\\''`)}'`;
}
