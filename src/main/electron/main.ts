import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { app, crashReporter, protocol } from "electron";
import { dataFolder } from "../dataFolder.ts";
import { keyVariables } from "../environment.ts";
import { runDesktop } from "./desktop.ts";
import { createFileInlet, filesOfCommandLine } from "./openedFiles.ts";

const folder = dataFolder();
// The key of the command line is not for this program, nor for the browser that it opens an address in.
for (const name of keyVariables(process.env)) delete process.env[name];
/** Chromium's own files, apart from the databases. */
const profileFolder = join(folder, "electron");

// The lock lies in the profile: one program for each data folder. Nothing else of the folder is touched before it is held.
mkdirSync(profileFolder, { recursive: true, mode: 0o700 });
app.setPath("userData", profileFolder);

if (app.requestSingleInstanceLock()) {
  app.enableSandbox();
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
  void app
    .whenReady()
    .then(() => runDesktop({ dataFolder: folder, profileFolder, bundles: import.meta.dirname, files }));
} else {
  app.quit();
}
