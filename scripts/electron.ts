// Finds the Electron runtime, which its package downloads only when it is first needed.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const root = join(import.meta.dirname, "..");
const home = join(root, "node_modules", "electron");
/**
 * That the runtime could not be had, by these ways, is remembered for a day: a closed network should not cost a minute at
 * every start.
 */
const refusal = join(root, "out", ".no-electron");
const REMEMBERED_MS = 86_400_000;
const REACH_MS = 5_000;
const DOWNLOAD_MS = 300_000;
const SOURCE = "https://github.com/electron/electron/releases";

/** The runtime's program where it is installed; null where it is not. */
export function installedElectron(): string | null {
  const { ELECTRON_OVERRIDE_DIST_PATH: override } = process.env;
  const pathFile = join(home, "path.txt");
  const program = existsSync(pathFile) ? readFileSync(pathFile, "utf8") : "electron";
  const path = join(override ?? join(home, "dist"), program);
  return existsSync(path) ? path : null;
}

/** The runtime's program, downloaded where it is missing and can be had; null where it cannot. */
export async function electronOrNull(say: (text: string) => void): Promise<string | null> {
  const installed = installedElectron();
  if (installed !== null || wasRefused()) return installed;
  if (await isReachable()) {
    say("Downloading the Electron runtime, once …");
    spawnSync(process.execPath, [join(home, "install.js")], { cwd: root, timeout: DOWNLOAD_MS, stdio: "ignore" });
  }
  const path = installedElectron();
  if (path === null) {
    mkdirSync(dirname(refusal), { recursive: true });
    writeFileSync(refusal, ways());
  }
  return path;
}

function wasRefused(): boolean {
  const kept = statSync(refusal, { throwIfNoEntry: false });
  return kept !== undefined && Date.now() - kept.mtimeMs < REMEMBERED_MS && readFileSync(refusal, "utf8") === ways();
}

/** The ways to the download that its user names; empty where there is only the usual one. */
function ways(): string {
  const { ELECTRON_MIRROR, HTTPS_PROXY, https_proxy } = process.env;
  return [ELECTRON_MIRROR, HTTPS_PROXY ?? https_proxy].filter(Boolean).join("\n");
}

/** A network that swallows requests would let the download hang for its whole time. */
async function isReachable(): Promise<boolean> {
  if (ways() !== "") return true;
  try {
    await fetch(SOURCE, { method: "HEAD", redirect: "manual", signal: AbortSignal.timeout(REACH_MS) });
    return true;
  } catch {
    return false;
  }
}
