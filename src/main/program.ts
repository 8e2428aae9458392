import packageJson from "../../package.json" with { type: "json" };

/** Name and version of this program, for files and requests. */
export const PROGRAM = `Zenith Desk ${packageJson.version}`;
export const VERSION: string = packageJson.version;

/** The scripts of package.json that start this program. */
const SCRIPTS = ["zenith", "demo", "service", "start"];

/** Whether npm runs this program from its sources, so that there is no `zenith` command. */
export function isNpmScript(env: NodeJS.ProcessEnv): boolean {
  return SCRIPTS.includes(env["npm_lifecycle_event"] ?? "");
}
