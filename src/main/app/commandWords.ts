import { resolve } from "node:path";
import { dataFolder as usualFolder } from "../dataFolder.ts";
import { isNpmScript } from "../program.ts";

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
export function isPlain(word: string): boolean {
  return /^[A-Za-z0-9._+/:-]+$/.test(word);
}

/** Quotes a path for a shell, if necessary. */
export function quotedPath(path: string, platform: NodeJS.Platform): string {
  if (isPlain(path)) return path;
  return platform === "win32" ? `"${path}"` : `'${path.replaceAll("'", `'\\''`)}'`;
}
