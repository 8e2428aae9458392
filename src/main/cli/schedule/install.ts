import { chmod, mkdir, rm, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { dirname, resolve, basename, join } from "node:path";
import { type Command, Option } from "commander";
import type { Run } from "../commands/types.ts";
import { usage } from "../exit.ts";
import { orStop, type Shell } from "../shell.ts";
import { type SystemTimer, systemTimer, type TimerKind, timerId, timerKindOf, TIMERS } from "./timer.ts";

interface InstallOptions {
  readonly for: TimerKind;
  readonly print?: boolean;
}

function systemOption(): Option {
  return new Option("--for <system>", "which part of the system starts it")
    .choices(TIMERS)
    .default(timerKindOf(process.platform));
}

/** The file with a byte order mark, where its encoding has one. */
function content({ text, encoding }: SystemTimer["files"][number]): Buffer {
  return Buffer.from(encoding === "utf16le" ? `\uFEFF${text}` : text, encoding);
}

export function addScheduleInstall(parent: Command, run: Run): void {
  parent
    .command("install")
    .description(
      "Lets the system run a schedule while no window is open: writes a systemd timer, a launchd agent or a task for the Windows Task " +
        "Scheduler, and says how to switch it on. A window that is open at the same time does not run it a second time. " +
        "No key is written.",
    )
    .argument("<name>", "as “schedule” lists it")
    .addOption(systemOption())
    .option("--print", "prints the files and writes none")
    .action(
      run(async (shell, name: string, options: InstallOptions) => {
        const { timer, scheduleName } = await timerOf(shell, name, options.for);
        if (options.print) {
          shell.output.document({ files: timer.files, on: timer.on });
          const shown = timer.files.map((file) =>
            timer.files.length > 1 ? `# ${file.path}\n${file.text}` : file.text,
          );
          shell.output.print(shown.join("\n").trimEnd());
          return;
        }
        await warnOfKey(shell, scheduleName);
        for (const file of timer.files) {
          await mkdir(dirname(file.path), { recursive: true });
          await writeFile(file.path, content(file));
          await chmod(file.path, 0o644);
        }
        shell.output.document({ files: timer.files.map((file) => file.path), on: timer.on });
        shell.output.print([
          ...timer.files.map((file) => `Wrote ${file.path}`),
          "Switch it on with:",
          ...timer.on.map((line) => `  ${line}`),
        ]);
      }),
    );
  parent
    .command("uninstall")
    .description("Takes the timer of a schedule away from the system. The schedule and its files stay.")
    .argument("<name>", "as “schedule” lists it")
    .addOption(systemOption())
    .action(
      run(async (shell, name: string, options: InstallOptions) => {
        // Also of a schedule that was deleted meanwhile.
        const timer = timerFor(shell, name.trim(), { kind: "every", minutes: 60 }, options.for);
        const there = [...timer.links, ...timer.files.map((file) => file.path)].filter((path) => existsSync(path));
        if (there.length === 0) throw usage(`No timer of “${name}” is installed.`);
        for (const path of there) await rm(path, { force: true });
        shell.output.document({ removed: there, off: timer.off });
        shell.output.print([
          ...there.map((path) => `Removed ${path}`),
          "Switch it off with:",
          ...timer.off.map((line) => `  ${line}`),
        ]);
      }),
    );
}

async function timerOf(shell: Shell, name: string, kind: TimerKind) {
  const { schedule } = orStop((await shell.app()).schedules.kept.named(name));
  return { timer: timerFor(shell, schedule.name, schedule.when, kind), scheduleName: schedule.name };
}

function timerFor(
  shell: Shell,
  name: string,
  when: Parameters<typeof systemTimer>[1]["schedule"]["when"],
  kind: TimerKind,
): SystemTimer {
  const folder = resolve(shell.dataFolder);
  const words = [...thisProgram(), "--quiet", "--data-folder", folder, "schedule", "run", name, "--due"];
  return systemTimer(kind, { schedule: { name, when }, id: timerId(name), words }, folder);
}

/** A timer has no environment of the user's, and asks nobody. */
async function warnOfKey(shell: Shell, name: string): Promise<void> {
  const app = await shell.app();
  const { connectionId } = orStop(app.schedules.kept.named(name)).schedule;
  const record = app.connections.find(connectionId);
  if (!record || record.kind !== "service") return;
  const { keyKept } = await app.connections.info(record);
  if (keyKept === "none" || keyKept === "session")
    shell.output.warn(
      `The command line keeps no API key for “${record.name}”, so the system cannot run this schedule. Enter it once with ` +
        `“${shell.suggest(`connect ${record.baseUrl} --name "${record.name}"`)}”.`,
    );
}

/** What Electron adds to a process. */
interface Packed {
  readonly resourcesPath?: string;
}

/**
 * The program that runs now, as another program can start it: whole paths, whatever the folder.
 *
 * @param script `process.argv[1]`
 */
function thisProgram(
  script = process.argv[1] ?? "",
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): readonly string[] {
  const { resourcesPath } = process as Packed;
  if (process.versions["electron"] !== undefined && resourcesPath !== undefined) {
    // An AppImage is mounted for one run only: what can be started again is its file.
    const appImage = env["APPIMAGE"];
    if (appImage) return [appImage, "--ozone-platform=headless", "--no-sandbox", "--disable-gpu", "--cli", "--"];
    if (platform === "win32") return [process.execPath, "--disable-gpu", "--cli", "--"];
    return [join(resourcesPath, "bin", "zenith")];
  }
  const path = resolve(script);
  // From the sources: the bundle of the last build starts in a fifth of the time.
  const bundle = join(dirname(path), "..", "..", "..", "out", "main", "zenith.js");
  const isSource = basename(path) === "index.ts";
  return [process.execPath, isSource && existsSync(bundle) ? resolve(bundle) : path];
}
