// Declares the classes of every CSS module of the window, so that the type checker knows each by name.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const root = join(import.meta.dirname, "..");
const source = join(root, "src", "renderer");
/** `rootDirs` of the window's tsconfig.json puts this folder over its sources. */
const target = join(root, "out", "css");

/** Writes `x.module.d.css.ts` for every `x.module.css`. */
export function writeCssTypes(): void {
  rmSync(target, { recursive: true, force: true });
  for (const path of readdirSync(source, { recursive: true, encoding: "utf8" })) {
    if (!path.endsWith(".module.css")) continue;
    const file = join(target, path.replace(/\.css$/, ".d.css.ts"));
    const names = classNames(readFileSync(join(source, path), "utf8")).map((name) => `readonly "${name}": string;`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `declare const classes: { ${names.join(" ")} };\nexport default classes;\n`);
  }
}

function classNames(css: string): readonly string[] {
  const selectors = css.replace(/\/\*.*?\*\/|:global\(.*?\)|"[^"]*"/gs, "");
  return [...new Set(Array.from(selectors.matchAll(/\.([a-z][\w-]*)/gi), ([, name = ""]) => name))];
}
