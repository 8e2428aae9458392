import packageJson from "../../package.json" with { type: "json" };
import { statSync } from "node:fs";

/** Name and version of this program, for files and requests. */
export const PROGRAM = `Zenith Desk ${packageJson.version}`;
export const VERSION: string = packageJson.version;

/** The address below which installers are published, from package.json; a placeholder until there is one (RFC 2606). */
export const RELEASES: string = packageJson.releases;
/** The file with the newest version, beside the installers (`scripts/manifests.ts`). */
export const FEED_FILE = "latest.json";

/** What the native part of SQLite needs. */
export const REQUIRED_SYSTEM = "Zenith Desk needs glibc 2.34 or newer on Linux (Debian 12, Ubuntu 22.04, RHEL 9)";

/** The scripts of package.json that start this program. */
const SCRIPTS = ["zenith", "demo", "service", "start"];

/** Whether npm runs this program from its sources, so that there is no `zenith` command. */
export function isNpmScript(env: NodeJS.ProcessEnv): boolean {
  return SCRIPTS.includes(env["npm_lifecycle_event"] ?? "");
}

/**
 * The environment variables that contain the API key: ours, and any other with the same value. Other processes of the
 * user can read the environment, and child processes inherit it.
 */
export function keyVariables(env: NodeJS.ProcessEnv): string[] {
  const key = env["ZENITH_API_KEY"]?.trim();
  if (!key) return [];
  return Object.keys(env).filter((name) => env[name]?.includes(key));
}

const SESSION_BUS = "DBUS_SESSION_BUS_ADDRESS";
const KEPT_SESSION_BUS = "ZENITH_SESSION_BUS";

/** Hides the session bus of the desktop from this process; child processes get it. */
export function withoutSessionBus(env: NodeJS.ProcessEnv): void {
  env[KEPT_SESSION_BUS] = env[SESSION_BUS] ?? "";
  env[SESSION_BUS] = "disabled:";
}

/** The environment for a child process such as a browser: without the key and our variables. */
export function childEnvironment(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const withKey = new Set(keyVariables(env));
  const isPassedOn = (name: string): boolean => !withKey.has(name) && !name.toUpperCase().startsWith("ZENITH_");
  return Object.fromEntries(Object.entries(withSessionBus(env)).filter(([name]) => isPassedOn(name)));
}

/** The environment with the session bus that `withoutSessionBus` hid. */
export function withSessionBus(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { [KEPT_SESSION_BUS]: bus, ...others } = env;
  if (bus === undefined) return env;
  const { [SESSION_BUS]: _, ...without } = others;
  return bus === "" ? without : { ...without, [SESSION_BUS]: bus };
}

// An update replaces these files. In an archive of Electron, which is read once, only the first shows it.
const FILES = [process.execPath, import.meta.filename];
const atStart = FILES.map(versionOf);

/** What an unexpected failure means if the files of the program were replaced while it ran. */
export const UPDATED = "The program was updated while it ran: restart it. Received data are kept.";

/** Whether the files of this program were replaced since it started, so that it cannot load further parts of itself. */
export function isReplaced(): boolean {
  return FILES.some((path, i) => versionOf(path) !== atStart[i]);
}

function versionOf(path: string): string {
  try {
    const { ino, size, mtimeMs } = statSync(path);
    return `${ino} ${size} ${mtimeMs}`;
  } catch {
    return "";
  }
}
