import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { app, crashReporter, dialog, protocol } from "electron";
import { tmpdir } from "node:os";
import { pathToFileURL } from "node:url";
import { messageOf } from "#shared/thrown.ts";
import { dataFolder } from "../dataFolder.ts";
import { keyVariables } from "../environment.ts";
import { log, startLog } from "../log/index.ts";
import { PROGRAM } from "../program.ts";
import { runDesktop } from "./desktop.ts";
import { createFileInlet, filesOfCommandLine, folderOfCommandLine, wordsOfCommand } from "./openedFiles.ts";

const folder = folderOfCommandLine(process.argv, process.cwd()) ?? dataFolder();
/** Chromium's own files, apart from the databases. */
const profileFolder = join(folder, "electron");

/** A program that has no window must not stay. */
function giveUp(thrown: unknown): void {
  log.error("the program cannot start", thrown);
  console.error(thrown);
  const reason = messageOf(thrown);
  dialog.showErrorBox(
    "Zenith Desk cannot start",
    `${reason}\n\nThe data folder is ${folder}. ZENITH_HOME or --data-folder names another one.`,
  );
  app.exit(1);
}

/** Only where nobody asked for none: `enableSandbox` takes the switch back, and Chromium would end where the system allows no sandbox. */
function sandbox(): void {
  if (!app.commandLine.hasSwitch("no-sandbox")) return app.enableSandbox();
  log.warn("the system allows no sandbox");
  console.error("This system allows no sandbox: the window runs without one. The guide says how to allow it.");
  app.commandLine.appendSwitch("disable-gpu-sandbox");
}

function start(): void {
  // The key of the command line is not for this program, nor for the browser that it opens an address in.
  for (const name of keyVariables(process.env)) delete process.env[name];
  // The lock lies in the profile: one program for each data folder. Nothing else of the folder is touched before it is held.
  mkdirSync(profileFolder, { recursive: true, mode: 0o700 });
  startLog(folder, "window");
  app.setPath("userData", profileFolder);
  if (!app.requestSingleInstanceLock()) return app.quit();
  const { electron, chrome } = process.versions;
  log.info(`${PROGRAM} starts (Electron ${electron}, Chromium ${chrome}, ${process.platform} ${process.arch})`);
  sandbox();
  // Dumps stay on this computer, in the profile.
  crashReporter.start({ uploadToServer: false });
  protocol.registerSchemesAsPrivileged([
    { scheme: "app", privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
  ]);
  if (process.platform === "win32") app.setAppUserModelId("org.zenith-desk.ZenithDesk");
  const files = createFileInlet();
  files.put(filesOfCommandLine(process.argv, process.cwd()));
  app.on("open-file", (event, path) => {
    event.preventDefault();
    files.put([path]);
  });
  app.on("second-instance", (_, argv, workingFolder) => files.put(filesOfCommandLine(argv, workingFolder)));
  app
    .whenReady()
    .then(() => runDesktop({ dataFolder: folder, profileFolder, bundles: import.meta.dirname, files }))
    .catch(giveUp);
}

/** Runs the command line of an installed program, which can start no other script of Node: its fuses forbid it. */
async function runCommand(words: readonly string[]): Promise<void> {
  // Chromium wants a place of its own; a window may have the usual one.
  const profile = mkdtempSync(join(tmpdir(), "zenith-desk-"));
  const tidy = (): void => rmSync(profile, { recursive: true, force: true });
  process.on("exit", tidy);
  app.setPath("userData", profile);
  app.dock?.hide();
  // Chromium takes Ctrl+C for the wish to close all windows.
  app.on("before-quit", (event) => {
    event.preventDefault();
    process.emit("SIGINT");
  });
  process.argv = [process.execPath, "zenith", ...words];
  await import(pathToFileURL(join(import.meta.dirname, "zenith.js")).href);
  // Ending the application drops what its reader has not taken yet, and before Electron is ready it tells no listener.
  await Promise.all([process.stdout, process.stderr].map(written));
  tidy();
  app.exit(Number(process.exitCode ?? 0));
}

/** Resolves when a stream has passed on all that it was given, or its reader is gone. */
function written(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => void stream.write("", () => resolve()));
}

const words = wordsOfCommand(process.argv);
if (words !== null) void runCommand(words);
else
  try {
    start();
  } catch (thrown) {
    giveUp(thrown);
  }
