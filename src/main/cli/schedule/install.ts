import { chmod, mkdir, rm, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { dirname, resolve, basename, join } from "node:path";
import { type Command, Option } from "commander";
import type { Run } from "../commands/types.ts";
import { usage } from "../exit.ts";
import { orStop, type Shell } from "../shell.ts";
import { type SystemTimer, systemTimer, type TimerKind, timerId, timerKindOf, TIMERS } from "./systemTimers.ts";

interface InstallOptions {
  readonly for: TimerKind;
  readonly print?: boolean;
}

function systemOption(): Option {
  return new Option("--for <system>", "the system service that starts it")
    .choices(TIMERS)
    .default(timerKindOf(process.platform));
}

/** The encoded file, with a byte order mark for UTF-16. */
function content({ text, encoding }: SystemTimer["files"][number]): Buffer {
  return Buffer.from(encoding === "utf16le" ? `\uFEFF${text}` : text, encoding);
}

export function addScheduleInstall(parent: Command, run: Run): void {
  parent
    .command("install")
    .description(
      "Lets the system run a schedule while no window is open: writes a systemd timer, a launchd agent or a task for the Windows Task " +
        "Scheduler, and prints how to enable it. A window that is open at the same time does not run it a second time. " +
        "No key is written.",
    )
    .argument("<name>", "as “schedule” lists it")
    .addOption(systemOption())
    .option("--print", "prints the files instead of writing them")
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
          "Enable it with:",
          ...timer.on.map((line) => `  ${line}`),
        ]);
      }),
    );
  parent
    .command("uninstall")
    .description("Removes the system timer of a schedule. The schedule and its files stay.")
    .argument("<name>", "as “schedule” lists it")
    .addOption(systemOption())
    .action(
      run(async (shell, name: string, options: InstallOptions) => {
        // Also for a schedule that was deleted meanwhile.
        const timer = timerFor(shell, name.trim(), { kind: "every", minutes: 60 }, options.for);
        const installed = [...timer.links, ...timer.files.map((file) => file.path)].filter((path) => existsSync(path));
        if (installed.length === 0) throw usage(`No timer of “${name}” is installed.`);
        for (const path of installed) await rm(path, { force: true });
        shell.output.document({ removed: installed, off: timer.off });
        shell.output.print([
          ...installed.map((path) => `Removed ${path}`),
          "Disable it with:",
          ...timer.off.map((line) => `  ${line}`),
        ]);
      }),
    );
}

async function timerOf(shell: Shell, name: string, kind: TimerKind) {
  const { schedule } = orStop((await shell.app()).schedules.store.named(name));
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

/** Warns if no key is stored: a timer has neither the user's environment nor a prompt. */
async function warnOfKey(shell: Shell, name: string): Promise<void> {
  const app = await shell.app();
  const { connectionId } = orStop(app.schedules.store.named(name)).schedule;
  const record = app.connections.find(connectionId);
  if (!record || record.kind !== "service") return;
  const { keyKept } = await app.connections.info(record);
  if (keyKept === "none" || keyKept === "session")
    shell.output.warn(
      `The command line has no stored API key for “${record.name}”, so the system cannot run this schedule. Enter it once with ` +
        `“${shell.suggest(`connect ${record.baseUrl} --name "${record.name}"`)}”.`,
    );
}

/** Properties that Electron adds to `process`. */
interface PackedProcess {
  readonly resourcesPath?: string;
}

/**
 * The command that starts this program, with absolute paths.
 *
 * @param script `process.argv[1]`
 */
function thisProgram(
  script = process.argv[1] ?? "",
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): readonly string[] {
  const { resourcesPath } = process as PackedProcess;
  if (process.versions["electron"] !== undefined && resourcesPath !== undefined) {
    // The content of an AppImage is mounted for one run only, so its file is started.
    const appImage = env["APPIMAGE"];
    if (appImage) return [appImage, "--ozone-platform=headless", "--no-sandbox", "--disable-gpu", "--cli", "--"];
    if (platform === "win32") return [process.execPath, "--disable-gpu", "--cli", "--"];
    return [join(resourcesPath, "bin", "zenith")];
  }
  const path = resolve(script);
  // The bundle of the last build starts five times faster than the sources.
  const bundle = join(dirname(path), "..", "..", "..", "out", "main", "zenith.js");
  const isSource = basename(path) === "index.ts";
  return [process.execPath, isSource && existsSync(bundle) ? resolve(bundle) : path];
}
