import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

// Builds, installs and runs what a manifest describes, without flatpak-builder and without Flathub: minimal runtimes of this
// system's programs have the names of those in the manifest.

export interface FlatpakManifest {
  readonly id: string;
  readonly runtime: string;
  readonly "runtime-version": string;
  readonly sdk: string;
  readonly command: string;
  readonly "finish-args": readonly string[];
  readonly modules: readonly {
    readonly "build-commands": readonly string[];
    readonly sources: readonly {
      readonly type: string;
      readonly "dest-filename"?: string;
      readonly commands?: readonly string[];
    }[];
  }[];
}

/** Flatpak with an installation and a home of its own, in a folder that exists. */
export function flatpakIn(home: string) {
  const own = {
    HOME: home,
    XDG_DATA_HOME: join(home, ".local", "share"),
    XDG_CACHE_HOME: join(home, ".cache"),
    XDG_CONFIG_HOME: join(home, ".config"),
    FLATPAK_USER_DIR: join(home, "flatpak"),
  };
  return (
    args: readonly string[],
    options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
  ): string => {
    const { cwd, env = process.env } = options;
    const done = spawnSync("flatpak", args, { encoding: "utf8", cwd, env: { ...env, ...own } });
    if (done.status === 0) return done.stdout + done.stderr;
    throw new Error(`flatpak ${args.join(" ")} ended with ${done.status}: ${done.stdout}${done.stderr}`);
  };
}

export interface FlatpakBuild {
  readonly flatpak: ReturnType<typeof flatpakIn>;
  /** A folder for builds and their repository. */
  readonly folder: string;
  readonly manifest: FlatpakManifest;
}

/** The repository, as Flatpak knows it. */
export const REMOTE = "local";

/** The name of a runtime with processor and version, as applications refer to it. */
const reference = (name: string, manifest: FlatpakManifest): string => `${name}/x86_64/${manifest["runtime-version"]}`;

function initialize(build: string, kind: "Application" | "Runtime", name: string, manifest: FlatpakManifest): void {
  mkdirSync(join(build, "files"), { recursive: true });
  mkdirSync(join(build, "var"));
  const runtime = reference(manifest.runtime, manifest);
  const sdk = reference(manifest.sdk, manifest);
  writeFileSync(join(build, "metadata"), `[${kind}]\nname=${name}\nruntime=${runtime}\nsdk=${sdk}\n`);
}

/**
 * Builds and installs a runtime of these programs of this system, and the libraries that they load.
 *
 * @param name the platform or the SDK of the manifest
 * @param programs paths of programs by their names in the runtime
 */
export function installRuntime(
  { flatpak, folder, manifest }: FlatpakBuild,
  name: string,
  programs: ReadonlyMap<string, string>,
): void {
  const build = join(folder, name);
  initialize(build, "Runtime", name, manifest);
  const usr = join(build, "usr");
  mkdirSync(join(usr, "bin"), { recursive: true });
  for (const [program, path] of programs) {
    copyFileSync(path, join(usr, "bin", program));
    const { stdout } = spawnSync("ldd", [path], { encoding: "utf8" });
    for (const [library] of stdout.matchAll(/\/[^ ]+(?= \()/g)) {
      const target = join(usr, library.replace(/^\/usr\//, "/"));
      mkdirSync(dirname(target), { recursive: true });
      if (!existsSync(target)) copyFileSync(library, target);
    }
  }
  const version = manifest["runtime-version"];
  flatpak(["build-export", "--disable-sandbox", "--runtime", join(folder, "repository"), build, version]);
  flatpak(["remote-add", "--user", "--no-gpg-verify", "--if-not-exists", REMOTE, join(folder, "repository")]);
  flatpak(["install", "--user", "--noninteractive", REMOTE, reference(name, manifest)]);
}

/**
 * Runs the commands of the manifest in the SDK, and exports the application to the repository.
 *
 * @param sources a folder with the files that the manifest downloads
 * @param prepare adds what the base application has, to the folder that becomes /app
 * @returns the folder of the build, and what Flatpak says of the exported files
 */
export function buildApplication(
  { flatpak, folder, manifest }: FlatpakBuild,
  { sources, prepare }: { readonly sources: string; prepare(app: string): void },
): { readonly build: string; readonly finished: string } {
  const build = join(folder, manifest.id);
  initialize(build, "Application", manifest.id, manifest);
  prepare(join(build, "files"));
  for (const { sources: declared, "build-commands": commands } of manifest.modules) {
    for (const { "dest-filename": name = "", commands: lines } of declared)
      if (lines !== undefined) writeFileSync(join(sources, name), `#!/bin/sh\n${lines.join("\n")}\n`, { mode: 0o755 });
    for (const command of commands)
      flatpak(["build", `--filesystem=${sources}`, `--build-dir=${sources}`, build, "sh", "-ec", command]);
  }
  const finished = flatpak(["build-finish", `--command=${manifest.command}`, ...manifest["finish-args"], build]);
  flatpak(["build-export", "--disable-sandbox", join(folder, "repository"), build]);
  return { build, finished };
}

/** All files below a folder, relative to it. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted();
}
