import { createHash } from "node:crypto";
import { homedir } from "node:os";
import { join } from "node:path";
import { launchdFile, systemdFiles, taskFile, type TimedProgram } from "./systemTimers.ts";

/** System services that start programs at given times. */
export const TIMERS = ["systemd", "launchd", "task-scheduler"] as const;
export type TimerKind = (typeof TIMERS)[number];

interface TimerFile {
  readonly path: string;
  readonly text: string;
  readonly encoding: "utf8" | "utf16le";
}

/** Files that make a system run a schedule, and the commands that enable and disable it. */
export interface SystemTimer {
  readonly files: readonly TimerFile[];
  readonly on: readonly string[];
  readonly off: readonly string[];
  /** Links created by enabling it, which are removed with the files. */
  readonly links: readonly string[];
}

export function timerKindOf(platform: NodeJS.Platform): TimerKind {
  if (platform === "win32") return "task-scheduler";
  return platform === "darwin" ? "launchd" : "systemd";
}

/** A unique id for a schedule, valid as the name of a file and a unit on every system. */
export function timerId(name: string): string {
  const plain = name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
  const hash = createHash("sha256").update(name).digest("hex").slice(0, 6);
  return `zenith-${plain === "" ? "" : `${plain.slice(0, 60)}-`}${hash}`;
}

/** @param dataFolder for the file of the Task Scheduler, which has no user folder for such files */
export function systemTimer(
  kind: TimerKind,
  program: TimedProgram,
  dataFolder: string,
  env: NodeJS.ProcessEnv = process.env,
): SystemTimer {
  const { id } = program;
  if (kind === "systemd") {
    const folder = join(env["XDG_CONFIG_HOME"] || join(homedir(), ".config"), "systemd", "user");
    const { service, timer } = systemdFiles(program);
    return {
      files: [
        { path: join(folder, `${id}.service`), text: service, encoding: "utf8" },
        { path: join(folder, `${id}.timer`), text: timer, encoding: "utf8" },
      ],
      on: ["systemctl --user daemon-reload", `systemctl --user enable --now ${id}.timer`],
      off: [`systemctl --user stop ${id}.timer`, "systemctl --user daemon-reload"],
      links: [join(folder, "timers.target.wants", `${id}.timer`)],
    };
  }
  if (kind === "launchd") {
    const path = join(homedir(), "Library", "LaunchAgents", `${id}.plist`);
    return {
      files: [{ path, text: launchdFile(program), encoding: "utf8" }],
      on: [`launchctl bootstrap gui/$(id -u) '${path}'`],
      off: [`launchctl bootout gui/$(id -u)/${id}`],
      links: [],
    };
  }
  const path = join(dataFolder, "scheduled", `${id}.xml`);
  return {
    // schtasks reads no other encoding.
    files: [{ path, text: taskFile(program), encoding: "utf16le" }],
    on: [`schtasks /Create /TN "Zenith Desk\\${id}" /XML "${path}"`],
    off: [`schtasks /Delete /F /TN "Zenith Desk\\${id}"`],
    links: [],
  };
}
