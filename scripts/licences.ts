// Collects the licences of everything that is shipped with the program; prints them when run.
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

/** Licence texts that are missing in their package, or belong to no package. */
const SUPPLEMENTS = ["resources", "licences"];
/** Libraries inside packages that do not include their licence. */
const EMBEDDED_LIBRARIES: Readonly<Record<string, string>> = {
  SQLite: "in better-sqlite3",
  zlib: "in h5wasm",
  Emscripten: "in h5wasm",
};
const LICENCE_FILE = /^(licen[cs]e|copying|notice|ofl)/i;
const RULE = "=".repeat(78);

export interface Shipped {
  /** Name and version for display. */
  readonly name: string;
  /** The licence's short name, or the containing package. */
  readonly note: string;
  /** The whole licence; empty if none was found. */
  readonly text: string;
}

/**
 * Everything that installers and page may contain: all packages that are not development-only, even if the bundle omits
 * them, and the libraries compiled into them.
 *
 * @param root the folder of the project
 */
export function shipped(root: string): readonly Shipped[] {
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as Lock;
  const packages = Object.entries(lock.packages)
    .filter(([path, { dev, devOptional }]) => path !== "" && !dev && !devOptional)
    .map(([path, { version, license }]) => {
      const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
      return {
        name: `${name} ${version}`,
        note: license ?? "",
        text: licenceIn(join(root, path)) || supplement(root, name),
      };
    });
  const embedded = Object.entries(EMBEDDED_LIBRARIES).map(([name, note]) => ({
    name,
    note,
    text: supplement(root, name),
  }));
  return [...packages, ...embedded].toSorted((a, b) => a.name.localeCompare(b.name, "en"));
}

/**
 * All licences as one text, each once, below the names of its packages.
 *
 * @throws Error with the names of packages without a licence
 */
export function licencesText(all: readonly Shipped[]): string {
  const missing = all.filter(({ text }) => text.trim() === "").map(({ name }) => name);
  if (missing.length > 0)
    throw new Error(`No licence was found for ${missing.join(", ")}: put it into resources/licences/<name>.txt.`);
  const parts = Array.from(
    Map.groupBy(all, ({ text }) => text.trim()),
    ([text, own]) =>
      `${own.map(({ name, note }) => `${name}${note === "" ? "" : ` (${note})`}`).join("\n")}\n\n${text}`,
  );
  return `${["Zenith Desk is built with the work of others, under these licences.", ...parts].join(`\n\n${RULE}\n\n`)}\n`;
}

interface Lock {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

interface LockedPackage {
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
}

function licenceIn(folder: string): string {
  return readdirSync(folder)
    .filter((name) => LICENCE_FILE.test(name))
    .toSorted()
    .map((name) => readFileSync(join(folder, name), "utf8").replaceAll("\r\n", "\n"))
    .join("\n\n");
}

function supplement(root: string, name: string): string {
  const folder = join(root, ...SUPPLEMENTS);
  const file = `${basename(name)}.txt`;
  return readdirSync(folder).includes(file) ? readFileSync(join(folder, file), "utf8") : "";
}

if (import.meta.main) console.log(licencesText(shipped(join(import.meta.dirname, ".."))));
