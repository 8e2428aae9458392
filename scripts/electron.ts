// Finds the Electron runtime, which its package downloads when it is first needed.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const root = join(import.meta.dirname, "..");
const home = join(root, "node_modules", "electron");
/**
 * A failed download, with its sources, is remembered for a day, so that starts without network are not delayed by a
 * minute.
 */
const failureFile = join(root, "out", ".no-electron");
const REMEMBER_MS = 86_400_000;
const REACH_MS = 5_000;
const DOWNLOAD_MS = 300_000;
const SOURCE = "https://github.com/electron/electron/releases";

/** The runtime's program; null if it is not installed. */
export function installedElectron(): string | null {
  const { ELECTRON_OVERRIDE_DIST_PATH: override } = process.env;
  const pathFile = join(home, "path.txt");
  const program = existsSync(pathFile) ? readFileSync(pathFile, "utf8") : "electron";
  const path = join(override ?? join(home, "dist"), program);
  return existsSync(path) ? path : null;
}

/** The runtime's program, downloaded if necessary; null if that is not possible. */
export async function electronOrNull(say: (text: string) => void): Promise<string | null> {
  const installed = installedElectron();
  if (installed !== null || failedRecently()) return installed;
  if (await isReachable()) {
    say("Downloading the Electron runtime, once …");
    spawnSync(process.execPath, [join(home, "install.js")], { cwd: root, timeout: DOWNLOAD_MS, stdio: "ignore" });
  }
  const path = installedElectron();
  if (path === null) {
    mkdirSync(dirname(failureFile), { recursive: true });
    writeFileSync(failureFile, downloadSources());
  }
  return path;
}

function failedRecently(): boolean {
  const kept = statSync(failureFile, { throwIfNoEntry: false });
  return (
    kept !== undefined &&
    Date.now() - kept.mtimeMs < REMEMBER_MS &&
    readFileSync(failureFile, "utf8") === downloadSources()
  );
}

/** Mirror and proxy that the user set; empty for the default source. */
function downloadSources(): string {
  const { ELECTRON_MIRROR, HTTPS_PROXY, https_proxy } = process.env;
  return [ELECTRON_MIRROR, HTTPS_PROXY ?? https_proxy].filter(Boolean).join("\n");
}

/** Checked first, because without a response the download would hang until its timeout. */
async function isReachable(): Promise<boolean> {
  if (downloadSources() !== "") return true;
  try {
    await fetch(SOURCE, { method: "HEAD", redirect: "manual", signal: AbortSignal.timeout(REACH_MS) });
    return true;
  } catch {
    return false;
  }
}
