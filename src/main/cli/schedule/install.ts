import { chmod, mkdir, rm, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { spawnSync } from "node:child_process";
import { userInfo } from "node:os";
import type { Schedule } from "#shared/schedule/schedule.ts";
import type { ConnectionRecord } from "../../store/index.ts";
import { choice, command, type Values } from "../command.ts";
import { usage } from "../exit.ts";
import { orStop, type Shell } from "../shell.ts";
import { NAME } from "./ledger.ts";
import { type SystemTimer, systemTimer, timerId, timerKindOf, TIMERS } from "./systemTimers.ts";

const TIMER = {
  ...NAME,
  "--for <system>": choice("the system service that starts it", TIMERS, timerKindOf(process.platform)),
  "--system": "a timer of the system, which runs without a login session; needs administrator rights",
};
type InstallValues = Omit<Values<typeof TIMER>, "name">;

/** The encoded file, with a byte order mark for UTF-16. */
function content({ text, encoding }: SystemTimer["files"][number]): Buffer {
  return Buffer.from(encoding === "utf16le" ? `\uFEFF${text}` : text, encoding);
}

export const addScheduleInstall = command({
  description:
    "Lets the system run a schedule while no window is open: writes a systemd timer, a launchd agent or a task for the Windows Task " +
    "Scheduler, and prints how to enable it. It starts the program at the planned times, and every 15 minutes for ranges " +
    "that wait for another try. A timer of your account runs while you are logged in; with --system, always. A window that is open at the same time does not run it a second time. " +
    "No key is written.",
  words: { ...TIMER, "--print": "prints the files instead of writing them" },
  async run(shell, values) {
    const { schedule } = orStop((await shell.app()).schedules.store.named(values.name));
    const timer = timerFor(shell, schedule, values);
    if (values.print) {
      shell.output.document("schedule install", { files: timer.files, on: timer.on });
      const shown = timer.files.map((file) => (timer.files.length > 1 ? `# ${file.path}\n${file.text}` : file.text));
      shell.output.text(shown.join("\n").trimEnd());
      return;
    }
    await warnOfKey(shell, schedule);
    warnOfSession(shell, values);
    for (const file of timer.files) {
      await mkdir(dirname(file.path), { recursive: true });
      await writeFile(file.path, content(file));
      await chmod(file.path, 0o644);
    }
    shell.output.document("schedule install", { files: timer.files.map((file) => file.path), on: timer.on });
    shell.output.print([
      ...timer.files.map((file) => `Wrote ${file.path}`),
      "Enable it with:",
      ...timer.on.map((line) => `  ${line}`),
    ]);
  },
});

export const addScheduleUninstall = command({
  description: "Removes the system timer of a schedule. The schedule and its files stay.",
  words: TIMER,
  async run(shell, { name, ...values }) {
    // Also for a schedule that was deleted meanwhile.
    const timer = timerFor(shell, { name: name.trim(), when: { kind: "every", minutes: 60 } }, values);
    const installed = [...timer.links, ...timer.files.map((file) => file.path)].filter((path) => existsSync(path));
    if (installed.length === 0) throw usage(`No timer of “${name}” is installed.`);
    for (const path of installed) await rm(path, { force: true });
    shell.output.document("schedule uninstall", { removed: installed, off: timer.off });
    shell.output.print([
      ...installed.map((path) => `Removed ${path}`),
      "Disable it with:",
      ...timer.off.map((line) => `  ${line}`),
    ]);
  },
});

function timerFor(
  shell: Shell,
  { name, when }: Pick<Schedule, "name" | "when">,
  { for: kind, system }: InstallValues,
): SystemTimer {
  const folder = resolve(shell.dataFolder);
  const words = [...thisProgram(), "--quiet", "--data-folder", folder, "schedule", "run", name, "--due"];
  const user = system ? { user: accountName() } : {};
  return systemTimer(kind, { schedule: { name, when }, id: timerId(name), words, ...user }, folder);
}

/** The account that the schedule runs under: that of the user, also under sudo. */
function accountName(): string {
  return process.env["SUDO_USER"] || userInfo().username;
}

/** Says when the timer of an account does not run. */
function warnOfSession(shell: Shell, { for: kind, system }: InstallValues): void {
  if (system) return;
  if (kind === "systemd" && !lingers())
    shell.output.note(
      `Without a login session, this timer does not run. On a server, allow it once with “sudo loginctl enable-linger ${accountName()}”, or install it with --system.`,
    );
  if (kind !== "systemd") shell.output.note("This timer runs while you are logged in. With --system, it runs always.");
}

/** Whether systemd keeps the timers of this account running without a login session. */
function lingers(): boolean {
  const { stdout } = spawnSync("loginctl", ["show-user", accountName(), "--property=Linger"], {
    encoding: "utf8",
    timeout: 2_000,
  });
  return stdout?.trim() === "Linger=yes";
}

/** Variables of the shell that decide how a service is reached, which a timer lacks. */
const NETWORK_VARIABLES = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"] as const;
const CERTIFICATE_VARIABLES = ["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE"] as const;

/** Warns if the shell reaches the service in a way that the connection does not know. */
function warnOfNetwork(shell: Shell, { name, baseUrl, proxy, caFile }: ConnectionRecord): void {
  const set = [
    ...(proxy ? [] : NETWORK_VARIABLES.filter((variable) => process.env[variable])),
    ...(caFile ? [] : CERTIFICATE_VARIABLES.filter((variable) => process.env[variable])),
  ];
  if (set.length === 0) return;
  shell.output.warn(
    `The system runs this schedule without ${set.join(" and ")} of this shell. Make them properties of the connection: ` +
      `“${shell.suggest(`connect ${baseUrl} --name "${name}" --proxy ADDRESS --ca FILE`)}”.`,
  );
}

/** Warns if no key is stored: a timer has neither the user's environment nor a prompt. */
async function warnOfKey(shell: Shell, { connectionId }: Schedule): Promise<void> {
  const app = await shell.app();
  const record = app.connections.find(connectionId);
  if (!record || record.kind !== "service") return;
  warnOfNetwork(shell, record);
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
    if (appImage) return [appImage, "--ozone-platform=headless", "--no-sandbox", "--disable-gpu", HEAP, "--cli", "--"];
    if (platform === "win32") return [process.execPath, "--disable-gpu", HEAP, "--cli", "--"];
    return [join(resourcesPath, "bin", "zenith")];
  }
  const path = resolve(script);
  // The bundle of the last build starts five times faster than the sources.
  const bundle = join(dirname(path), "..", "..", "..", "out", "main", "zenith.js");
  const isSource = basename(path) === "index.ts";
  return [process.execPath, ...NODE_FLAGS, isSource && existsSync(bundle) ? resolve(bundle) : path];
}

/** As scripts/run.mjs and the command of an installation set them: a small young generation halves the memory. */
const NODE_FLAGS = ["--disable-warning=ExperimentalWarning", "--max-semi-space-size=2"];
const HEAP = "--js-flags=--max-semi-space-size=2";
