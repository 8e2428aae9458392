import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const ROOT = join(import.meta.dirname, "..", "..");
const FOLDER = join(ROOT, "docs", "guide");

/** A page of the guide, parsed independently of the window. */
export interface WrittenPage {
  readonly id: string;
  readonly text: string;
  /** The text without code blocks. */
  readonly prose: string;
  /** Lines of the code blocks. */
  readonly code: readonly string[];
}

export function readBook(): readonly WrittenPage[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith(".md"))
    .map((name) => {
      const text = readFileSync(join(FOLDER, name), "utf8");
      const parts = text.split(/^```.*$/m);
      return {
        id: name.slice(0, -".md".length),
        text,
        prose: parts.filter((_, i) => i % 2 === 0).join("\n"),
        code: parts.filter((_, i) => i % 2 === 1).flatMap((block) => block.trim().split("\n")),
      };
    });
}

/** All matches of the first group of a pattern. */
export function allOf(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].map((match) => match[1]!);
}
