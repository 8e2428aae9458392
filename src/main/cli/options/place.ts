import { existsSync } from "node:fs";
import { basename, relative, resolve } from "node:path";
import { isNpmScript } from "../../program.ts";

/** npm runs scripts in the project's folder; the paths that a person types are seen from where the person is. */
export function userPath(path: string, env: NodeJS.ProcessEnv = process.env): string {
  return resolve(isNpmScript(env) ? (env["INIT_CWD"] ?? ".") : ".", path);
}

/** A file that a person names, or with a colon a file in a zip archive or a folder: `days.zip:2026/day001.tro`. */
export function userFile(word: string): { readonly path: string; readonly member?: string } {
  const path = userPath(word);
  // Names may have colons themselves.
  for (let at = word.indexOf(":", 2); at > 0 && !existsSync(path); at = word.indexOf(":", at + 1)) {
    const archive = userPath(word.slice(0, at));
    if (existsSync(archive)) return { path: archive, member: word.slice(at + 1) };
  }
  return { path };
}

/** How this program was called, so that the commands it suggests can be copied. */
export function invocation(env: NodeJS.ProcessEnv = process.env, script = process.argv[1] ?? "zenith"): string {
  if (isNpmScript(env)) return "npm run zenith --";
  // One word is a command on the PATH: that of an installed program.
  return script === basename(script) ? script : `node ${quoted(relative(process.cwd(), script))}`;
}

/** A word as a shell takes it for one word. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
