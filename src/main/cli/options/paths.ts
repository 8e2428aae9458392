import { existsSync } from "node:fs";
import { basename, relative, resolve } from "node:path";
import { isNpmScript } from "../../program.ts";

/** Resolves a typed path. npm runs scripts in the project's folder, so it is relative to the user's folder. */
export function userPath(path: string, env: NodeJS.ProcessEnv = process.env): string {
  return resolve(isNpmScript(env) ? (env["INIT_CWD"] ?? ".") : ".", path);
}

/** Resolves a typed file, or a file in a zip archive or folder after a colon: `days.zip:2026/day001.tro`. */
export function userFile(word: string): { readonly path: string; readonly member?: string } {
  const path = userPath(word);
  // File names may contain colons.
  for (let at = word.indexOf(":", 2); at > 0 && !existsSync(path); at = word.indexOf(":", at + 1)) {
    const archive = userPath(word.slice(0, at));
    if (existsSync(archive)) return { path: archive, member: word.slice(at + 1) };
  }
  return { path };
}

/** The command that started this program, for suggested commands that can be copied. */
export function invocation(env: NodeJS.ProcessEnv = process.env, script = process.argv[1] ?? "zenith"): string {
  if (isNpmScript(env)) return "npm run zenith --";
  // A name without a folder is an installed program on the PATH.
  return script === basename(script) ? script : `node ${shellWord(relative(process.cwd(), script))}`;
}

/** Quotes a word for a POSIX shell, if necessary. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
