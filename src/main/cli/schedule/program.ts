import { existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/** What Electron adds to a process. */
interface Packed {
  readonly resourcesPath?: string;
}

/**
 * The program that runs now, as another program can start it: whole paths, whatever the folder.
 *
 * @param script `process.argv[1]`
 */
export function thisProgram(
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
