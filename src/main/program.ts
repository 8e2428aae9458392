import packageJson from "../../package.json" with { type: "json" };

/** Name and version of this program, as files and requests carry it. */
export const PROGRAM = `Zenith Desk ${packageJson.version}`;
export const VERSION: string = packageJson.version;

/** The scripts of package.json that start this program. */
const SCRIPTS = ["zenith", "demo", "service", "start"];

/** Whether it runs from its sources, by npm: there is no command of its own name then. */
export function isNpmScript(env: NodeJS.ProcessEnv): boolean {
  return SCRIPTS.includes(env["npm_lifecycle_event"] ?? "");
}
