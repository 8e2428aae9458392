import { createHash } from "node:crypto";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pack, packingMissing } from "../electron/packing.ts";
import { builtApp } from "./build.ts";
import { DESKTOP_MAIN, IS_ENDURANCE } from "./endurance.ts";

const PREFIX = "zenith-packed-";
const OLD_MS = 86_400_000;

/**
 * Returns the main bundle of the desktop program that suites start under the stand-in: the built one in the gate; in
 * `npm run endurance` the packed one, outside of the repository and without its node_modules. It is packed once for all
 * test files.
 */
export async function desktopMain(): Promise<string> {
  const { main } = builtApp();
  const given = process.env[DESKTOP_MAIN];
  if (given !== undefined) return given;
  if (!IS_ENDURANCE || packingMissing !== null) return join(main, "main.js");
  return join(await packedOnce(), "extracted", "out", "main", "main.js");
}

/** The folder depends on the sources. Concurrent test files may all pack; all use the first result. */
async function packedOnce(): Promise<string> {
  const stamp = readFileSync(join(builtApp().main, "..", ".built-from"));
  const folder = join(tmpdir(), PREFIX + createHash("sha256").update(stamp).digest("hex").slice(0, 16));
  if (existsSync(join(folder, "done"))) return folder;
  removeOld();
  const mine = mkdtempSync(join(tmpdir(), PREFIX));
  await pack(mine);
  // Keep only the extracted files; the rest is large.
  for (const name of readdirSync(mine)) if (name !== "extracted") rmSync(join(mine, name), { recursive: true });
  writeFileSync(join(mine, "done"), "");
  try {
    renameSync(mine, folder);
  } catch {
    rmSync(mine, { recursive: true, force: true });
  }
  return folder;
}

function removeOld(): void {
  for (const name of readdirSync(tmpdir())) {
    const path = join(tmpdir(), name);
    if (basename(path).startsWith(PREFIX) && Date.now() - statSync(path).mtimeMs > OLD_MS)
      rmSync(path, { recursive: true, force: true });
  }
}
