import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "..");
const filesOf = (...patterns: string[]): string[] => globSync(patterns, { cwd: ROOT, exclude: ["**/node_modules/**"] });
const SOURCES = filesOf("{bench,docs,resources,scripts,src,test}/**", "*.{ts,json,yml}");
const PATH = /^(?:[\w-]+\/)*[\w.-]+\.(?:tsx?|mjs)$|^(?:[\w-]+\/)+[\w-]*$/;
/** Paths in the output of the build, and words of standards. */
const OTHERS = /^(out|application|text|cf-convention)\//;

/** Whether the path of a file or folder ends like this. */
function exists(path: string): boolean {
  const end = `/${path.replace(/\/$/, "")}`;
  return SOURCES.some((source) => ["", ".ts", ".tsx"].some((ending) => `/${source}`.endsWith(end + ending)));
}

const isComment = (line: string): boolean => /^\s*(?:\/\/|\/?\*)/.test(line);

describe("documents for developers", () => {
  it.each(filesOf("*.md", "docs/*.md", "docs/decisions/*.md", "{src,test}/**/README.md"))(
    "%s names files and folders that exist",
    (document) => {
      const text = readFileSync(join(ROOT, document), "utf8");
      const words = [...text.matchAll(/`([^`\n]+)`/g)].map(([, word = ""]) => word);
      const paths = words.filter((word) => PATH.test(word) && !OTHERS.test(word));
      expect(paths.filter((path) => !exists(path))).toEqual([]);
    },
  );

  it("docs/architecture.md lists the folders of the source", () => {
    const text = readFileSync(join(ROOT, "docs/architecture.md"), "utf8");
    const [, tree = ""] = /^```\nsrc\/\n(.+?)^```/ms.exec(text) ?? [];
    const listed: string[] = [];
    let parent = "";
    for (const [, indent = "", name = ""] of tree.matchAll(/^( {2}| {4})([\w.]+)\/?(?: |$)/gm)) {
      if (indent.length === 2) parent = name;
      listed.push(indent.length === 2 ? name : `${parent}/${name}`);
    }
    expect(listed.filter((path) => !existsSync(join(ROOT, "src", path)))).toEqual([]);
    const folders = filesOf("src/{*,main/*,renderer/*}/*").map((file) => dirname(relative("src", file)));
    expect([...new Set(folders)].filter((folder) => !listed.includes(folder))).toEqual([]);
    const inside = filesOf("src/{shared,main/app,main/store}/*/*").map((file) => basename(dirname(file)));
    expect([...new Set(inside)].filter((name) => !new RegExp(`\\b${name}/`).test(tree))).toEqual([]);
  });

  it("test/README.md has the promise of every folder of tests", () => {
    const text = readFileSync(join(ROOT, "test/README.md"), "utf8");
    const listed = [...text.matchAll(/^\| `([\w-]+)\/` \| .+ \|$/gm)].map(([, name]) => name);
    expect(listed).toEqual([...new Set(filesOf("test/*/*").map((path) => path.split(/[\\/]/)[1]))].toSorted());
  });

  it("comments name files and folders that exist", () => {
    const files = filesOf("{src,scripts,test}/**/*.{ts,tsx}");
    const folders = new Set(files.flatMap((file) => dirname(file).split("/")));
    const missing = files.flatMap((file) => {
      const comments = readFileSync(join(ROOT, file), "utf8").matchAll(/^\s*(?:\/\/|\/?\*).*$/gm);
      const words = [...comments].flatMap(([line]) => [...line.matchAll(/`([\w-]+)(\/[\w./-]+)`/g)]);
      return words.flatMap(([, first = "", rest = ""]) =>
        folders.has(first) && !exists(first + rest) ? `${file}: ${first}${rest}` : [],
      );
    });
    expect(missing).toEqual([]);
  });

  it("comments name functions and fields that exist", () => {
    const lines = filesOf("{bench,scripts,src,test}/**/*.{ts,tsx}", "tsconfig.json", "src/**/tsconfig.json").flatMap(
      (file) => readFileSync(join(ROOT, file), "utf8").split("\n"),
    );
    const code = lines.filter((line) => !isComment(line)).join("\n");
    const known = new Set(code.match(/\w+/g));
    const named = lines
      .filter(isComment)
      .flatMap((line) => line.match(/(?<=`(?:\w+\.)?)[a-z]+[A-Z]\w*(?=[`.])/g) ?? []);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });
});

/** Files that a source imports, also as types and on demand, which the linter's rule does not count. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(ROOT, file), "utf8");
  return [...text.matchAll(/(?:from|import)\s*\(?\s*"([.#][^"]+)"/g)]
    .map(([, target = ""]) => (target.startsWith("#") ? `src/${target.slice(1)}` : join(dirname(file), target)))
    .filter((path) => existsSync(join(ROOT, path)));
}

it("no files of the source import each other in a circle", () => {
  const left = new Map(filesOf("src/**/*.{ts,tsx}").map((file) => [file, importsOf(file)]));
  // Files that import none of the remaining ones are in no circle.
  for (let size = 0; size !== left.size;) {
    size = left.size;
    for (const [file, targets] of left) if (!targets.some((target) => left.has(target))) left.delete(file);
  }
  expect([...left.keys()]).toEqual([]);
});
