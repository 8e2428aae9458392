import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { app, crashReporter, dialog, protocol } from "electron";
import { tmpdir } from "node:os";
import { pathToFileURL } from "node:url";
import { makeFolder } from "#formats/makeFolder.ts";
import { messageOf } from "#shared/fault.ts";
import { EXIT } from "../cli/exit.ts";
import { dataFolder } from "../dataFolder.ts";
import { keyVariables, PROGRAM, withoutSessionBus } from "../program.ts";
import { log, startLog } from "../log/index.ts";
import { runDesktop } from "./desktop.ts";
import { useForkedGuests } from "./guest.ts";
import { OpenFileQueue, filesOfCommandLine, folderOfCommandLine, commandArguments } from "./openedFiles.ts";

const folder = folderOfCommandLine(process.argv, process.cwd()) ?? dataFolder();
/** Folder for Chromium's files. */
const profileFolder = join(folder, "electron");

/** Shows an error and exits, because a process without a window must not remain. */
function exitWithError(thrown: unknown): void {
  log.error("the program ends after an error", thrown);
  console.error(thrown);
  const reason = messageOf(thrown);
  dialog.showErrorBox(
    app.isReady() ? "Zenith Desk must close" : "Zenith Desk cannot start",
    `${reason}\n\nThe data folder is ${folder}. ZENITH_HOME or --data-folder names another one.`,
  );
  app.exit(1);
}

/** Reports an unexpected error of this process calmly: the data are in the core's process. Electron would show its stack. */
function reportUnexpected(thrown: unknown): void {
  log.error("an unexpected error in the window's process", thrown);
  if (!app.isReady()) return exitWithError(thrown);
  if (isReporting) return;
  isReporting = true;
  void offerToRestart(thrown).finally(() => (isReporting = false));
}

async function offerToRestart(thrown: unknown): Promise<void> {
  const { response } = await dialog.showMessageBox({
    type: "warning",
    message: "Something went wrong in Zenith Desk",
    detail: `Downloads and cached data are safe. If the windows no longer work as they should, restart the program. The log has the cause: ${messageOf(thrown)}`,
    buttons: ["Continue", "Restart"],
    defaultId: 0,
    cancelId: 0,
  });
  if (response === 0) return;
  app.relaunch();
  app.quit();
}

let isReporting = false;

/** Enables the sandbox unless `--no-sandbox` is set, which `enableSandbox` would override; Chromium ends if the system forbids one. */
function enableSandbox(): void {
  if (!app.commandLine.hasSwitch("no-sandbox")) return app.enableSandbox();
  log.warn("the system allows no sandbox");
  console.error("This system allows no sandbox: the window runs without one. The guide says how to allow it.");
  app.commandLine.appendSwitch("disable-gpu-sandbox");
}

function startProgram(): void {
  process.on("uncaughtException", reportUnexpected);
  process.on("unhandledRejection", reportUnexpected);
  // The key is for the command line only, not for this program or a browser that it starts.
  for (const name of keyVariables(process.env)) delete process.env[name];
  // The lock is in the profile: one process per data folder. Nothing else in the folder is touched before it is held.
  makeFolder(profileFolder, 0o700);
  startLog(folder, "window");
  app.setPath("userData", profileFolder);
  if (!app.requestSingleInstanceLock()) return app.quit();
  const { electron, chrome } = process.versions;
  log.info(`${PROGRAM} starts (Electron ${electron}, Chromium ${chrome}, ${process.platform} ${process.arch})`);
  enableSandbox();
  // Crash dumps stay in the profile on this computer.
  crashReporter.start({ uploadToServer: false });
  protocol.registerSchemesAsPrivileged([
    { scheme: "app", privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
  ]);
  if (process.platform === "win32") app.setAppUserModelId("org.zenith-desk.ZenithDesk");
  const files = new OpenFileQueue();
  files.put(filesOfCommandLine(process.argv, process.cwd()));
  app.on("open-file", (event, path) => {
    event.preventDefault();
    files.put([path]);
  });
  app.on("second-instance", (_, argv, workingFolder) => files.put(filesOfCommandLine(argv, workingFolder)));
  app
    .whenReady()
    .then(() => runDesktop({ dataFolder: folder, profileFolder, bundles: import.meta.dirname, files }))
    .catch(exitWithError);
}

/** Runs the command line of an installed program, whose fuses forbid to run other Node scripts. */
async function runInTerminal(args: readonly string[]): Promise<void> {
  // A command needs no bus, and libraries of the system end a program that loses it, with exit code 0.
  withoutSessionBus(process.env);
  let isFinished = false;
  // Whatever else ends the program must not look like success.
  app.on("quit", () => isFinished || process.exit(1));
  // Chromium needs a separate profile, because a window may use the usual one.
  const profile = mkdtempSync(join(tmpdir(), "zenith-desk-"));
  const removeProfile = (): void => rmSync(profile, { recursive: true, force: true });
  process.on("exit", removeProfile);
  app.setPath("userData", profile);
  app.dock?.hide();
  // Chromium interprets Ctrl+C as a request to close all windows.
  app.on("before-quit", (event) => {
    event.preventDefault();
    if (!process.emit("SIGINT")) process.exit(EXIT.interrupted);
  });
  // Chromium takes the signals over while it starts, and one that comes while a listener is replaced is lost: the command
  // installs its listener afterwards.
  await app.whenReady();
  useForkedGuests(import.meta.dirname);
  process.argv = [process.execPath, "zenith", ...args];
  await import(pathToFileURL(join(import.meta.dirname, "zenith.js")).href);
  // Exiting would drop unread output.
  await Promise.all([process.stdout, process.stderr].map(flushed));
  removeProfile();
  isFinished = true;
  app.exit(Number(process.exitCode ?? 0));
}

/** Resolves when a stream has written all its data, or its reader closed it. */
function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => void stream.write("", () => resolve()));
}

const commandArgs = commandArguments(process.argv);
if (commandArgs !== null)
  runInTerminal(commandArgs).catch((thrown: unknown) => {
    console.error(thrown);
    app.exit(1);
  });
else {
  try {
    startProgram();
  } catch (thrown) {
    exitWithError(thrown);
  }
}
