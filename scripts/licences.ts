// The licences of everything that is shipped with the program, from where each of them lies; printed when it is run.
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

/** Texts of what has none in its package, or is no package of its own. */
const SUPPLEMENTS = ["resources", "licences"];
/** Inside packages, and under a licence that those do not tell. */
const INSIDE: Readonly<Record<string, string>> = {
  SQLite: "in better-sqlite3",
  zlib: "in h5wasm",
  Emscripten: "in h5wasm",
};
const LICENCE_FILE = /^(licen[cs]e|copying|notice|ofl)/i;
const RULE = "=".repeat(78);

export interface Shipped {
  /** As a person knows it, with its version. */
  readonly name: string;
  /** The licence's short name, or what it is part of. */
  readonly note: string;
  /** The whole licence; empty where none was found. */
  readonly text: string;
}

/**
 * What the installers and the page may hold: every package that is not for development alone, whether the bundler took
 * much of it or nothing, and the libraries compiled into them.
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
  const inside = Object.entries(INSIDE).map(([name, note]) => ({ name, note, text: supplement(root, name) }));
  return [...packages, ...inside].toSorted((a, b) => a.name.localeCompare(b.name, "en"));
}

/**
 * All licences as one text, each once, under the names of all that are under it.
 *
 * @throws with their names where something has none
 */
export function licencesText(all: readonly Shipped[]): string {
  const bare = all.filter(({ text }) => text.trim() === "").map(({ name }) => name);
  if (bare.length > 0)
    throw new Error(`No licence was found for ${bare.join(", ")}: put it into resources/licences/<name>.txt.`);
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
