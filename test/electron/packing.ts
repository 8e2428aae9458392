import { execFile } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { extractAll, getRawHeader, listPackage } from "@electron/asar";
import { MAKERS } from "../../scripts/tools.ts";
import { makePackage } from "../packages/fpm.ts";
import { builtApp } from "../support/build.ts";
import { IS_ENDURANCE } from "../support/endurance.ts";
import { programMissing } from "../support/needs.ts";

/** Why tests of electron-builder cannot run here; null if they can. */
export const makersMissing = existsSync(join(MAKERS, "node_modules"))
  ? null
  : "electron-builder is not installed (npm test -- --all installs it)";

/** Why tests cannot pack here; null if they can. */
export const packingMissing =
  process.platform !== "linux" || process.arch !== "x64" ? "tests pack only on Linux x64" : makersMissing;

/** Why packages cannot be made here; null if they can. */
export const missingPackagers = packingMissing ?? programMissing("dpkg-deb") ?? programMissing("rpmbuild");

const root = join(import.meta.dirname, "..", "..");

/** A file of the archive, as its header describes it. */
export interface ArchivedFile {
  readonly path: string;
  readonly isUnpacked: boolean;
  /** SHA-256 of the content, hexadecimal. */
  readonly hash: string;
}

export interface Packed {
  /** The folder of the program, as an installer would copy it. */
  readonly folder: string;
  /** The folder of the extracted files in the archive and beside it. */
  readonly extracted: string;
  readonly files: readonly ArchivedFile[];
  /** The folder of the installers, which are empty until a test makes them. */
  readonly installers: string;
  /** The arguments with which electron-builder makes each kind of package; their temporary files are kept. */
  readonly fpm: (kind: "deb" | "rpm") => readonly string[];
}

interface Entry {
  readonly files?: Readonly<Record<string, Entry>>;
  readonly unpacked?: boolean;
  readonly integrity?: { readonly hash: string };
}

/**
 * Packs the program for this system like `npm run package`, with a substitute for the Electron runtime: a script with
 * fuses, which runs the main bundle STANDIN_MAIN under the stand-in.
 *
 * @param folder the folder of the output
 * @param kinds the packages whose arguments are recorded
 */
export async function pack(folder: string, kinds: readonly ("deb" | "rpm")[] = []): Promise<Packed> {
  builtApp();
  const runtime = join(folder, "runtime");
  mkdirSync(join(runtime, "resources"), { recursive: true });
  mkdirSync(join(runtime, "locales"));
  const wire = Buffer.from([1, 8, ...Buffer.from("10110001")]);
  // Electron passes these flags on to V8.
  const flags = `for word in "$@"; do case $word in --js-flags=*) flags=\${word#--js-flags=} ;; --) break ;; esac; done`;
  const script = `#!/bin/sh\n${flags}\nexec "$STANDIN_NODE" $flags --unhandled-rejections=warn-with-error-code --import "$STANDIN_REGISTER" "$STANDIN_MAIN" "$@"\n`;
  const program = Buffer.concat([Buffer.from(`${script}dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX`), wire, Buffer.from("\n")]);
  writeFileSync(join(runtime, "electron"), program, { mode: 0o755 });
  for (const name of ["version", "LICENSE", "LICENSES.chromium.html", "chrome-sandbox", "locales/en-US.pak"])
    writeFileSync(join(runtime, name), "");
  // A binary with a build id, as Electron's are.
  copyFileSync("/bin/true", join(runtime, "chrome_crashpad_handler"));

  const output = join(folder, "packed");
  const targets = kinds.length === 0 ? ["--dir"] : ["--linux", ...kinds];
  const options = [...targets, "--x64", `-c.electronDist=${runtime}`, `-c.directories.output=${output}`];
  const fpm = join(folder, "fpm");
  const standin = join(root, "test", "packages", "fpm.ts");
  writeFileSync(fpm, `#!/bin/sh\nexec "${process.execPath}" "${standin}" "${folder}" "$@"\n`, { mode: 0o755 });
  await promisify(execFile)(process.execPath, [join(root, "scripts", "package.ts"), ...options], {
    cwd: root,
    env: { ...process.env, CUSTOM_FPM_PATH: fpm },
  });

  extractAll(join(output, "linux-unpacked", "resources", "app.asar"), join(folder, "extracted"));
  return packedIn(folder);
}

/**
 * Packs with the packages that this system can make, once for all test files of a run: they share a folder for temporary
 * files, which is removed at its end.
 */
export async function packOnce(): Promise<Packed> {
  const folder = join(tmpdir(), "zenith-packed-once");
  const [done, failed] = [join(folder, "done"), join(folder, "failed")];
  if (mkdirSync(folder, { recursive: true }) !== undefined) {
    try {
      const packed = await pack(folder, missingPackagers === null ? ["deb", "rpm"] : []);
      writeFileSync(done, "");
      return packed;
    } catch (thrown) {
      writeFileSync(failed, "");
      throw thrown;
    }
  }
  while (!existsSync(done)) {
    if (existsSync(failed)) throw new Error("The program could not be packed; another test file says why.");
    await setTimeout(100);
  }
  return packedIn(folder);
}

/** Why packages are not made and installed in this run; null if they are. */
export const noInstallation = IS_ENDURANCE
  ? missingPackagers
  : "packages are made and installed in npm run endurance, for minutes";

const made = new Map<string, string>();

/** Makes a package from electron-builder's arguments, once. @returns its path */
export function madePackage(packed: Packed, kind: "deb" | "rpm"): string {
  const args = packed.fpm(kind);
  const path = made.get(args.join()) ?? makePackage(args);
  made.set(args.join(), path);
  return path;
}

/** The environment of an installed command, whose runtime is the stand-in. */
export function packedEnvironment(packed: Packed): NodeJS.ProcessEnv {
  const { npm_lifecycle_event: _, ...env } = process.env;
  return {
    ...env,
    ELECTRON_STANDIN: JSON.stringify({ chromium: null }),
    STANDIN_NODE: process.execPath,
    STANDIN_REGISTER: join(root, "test", "electron-standin", "register.ts"),
    STANDIN_MAIN: join(packed.extracted, "out", "main", "main.js"),
  };
}

function packedIn(folder: string): Packed {
  const output = join(folder, "packed");
  const recorded = (kind: string): readonly string[] =>
    JSON.parse(readFileSync(join(folder, `${kind}.json`), "utf8")) as string[];
  const archive = join(output, "linux-unpacked", "resources", "app.asar");
  const extracted = join(folder, "extracted");
  const { header } = getRawHeader(archive);
  const known = new Set(listPackage(archive, { isPack: false }));
  const files = filesOf(header as Entry).filter(({ path }) => known.has(join("/", path)));
  return { folder: join(output, "linux-unpacked"), extracted, files, installers: output, fpm: recorded };
}

function filesOf({ files = {} }: Entry, folder = ""): ArchivedFile[] {
  return Object.entries(files).flatMap(([name, entry]) => {
    const path = folder + name;
    if (entry.files) return filesOf(entry, `${path}/`);
    return [{ path, isUnpacked: entry.unpacked ?? false, hash: entry.integrity?.hash ?? "" }];
  });
}
