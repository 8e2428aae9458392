import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Alphabets, each a file of the fonts. */
const SUBSETS = ["latin", "latin-ext", "greek", "cyrillic"] as const;
type Subset = (typeof SUBSETS)[number];
const WEIGHTS = [400, 600] as const;
export type FontWeight = (typeof WEIGHTS)[number];

/** Where the build lays the fonts, beside the program. */
export const FONT_FOLDER = "inter";

/** The files of Inter: one for each alphabet and weight, and which letters each one has. */
export const FONT_FILES = [
  ...SUBSETS.flatMap((subset) => WEIGHTS.map((weight) => `files/${fileName(subset, weight)}`)),
  "unicode.json",
];

/** Signs that Inter has, but none of these files. */
const SPELT: Readonly<Record<string, string>> = { "→": "–", "≤": "<=", "≥": ">=", "≈": "~" };

/** A part of a text whose letters are all in one file. */
export interface FontRun {
  readonly file: string;
  readonly text: string;
}

export interface EmbeddedFonts {
  /** Letters of no file go with the Latin ones, which draw a box for them. */
  runs(text: string, weight: FontWeight): readonly FontRun[];
  read(file: string): Buffer;
  /** Whether a text has letters of no file. */
  hasOthers(text: string): boolean;
  /** The letters that a file is for, as a style sheet has them: "U+0000-00FF,U+0131". */
  rangeOf(file: string): string;
}

export function embeddedFonts(): EmbeddedFonts {
  const ranges = JSON.parse(read("unicode.json").toString("utf8")) as Record<string, string | undefined>;
  const subsets = SUBSETS.map((subset) => ({ subset, has: membership(ranges[subset] ?? "") }));
  const subsetOf = (letter: string): Subset | undefined =>
    subsets.find(({ has }) => has(letter.codePointAt(0) ?? 0))?.subset;
  return {
    read,
    hasOthers: (text) => Array.from(spelt(text)).some((letter) => subsetOf(letter) === undefined),
    rangeOf: (file) =>
      ranges[SUBSETS.find((subset) => WEIGHTS.some((w) => file.endsWith(fileName(subset, w)))) ?? ""] ?? "",
    runs(text, weight) {
      const runs: { file: string; text: string }[] = [];
      for (const letter of spelt(text)) {
        const subset = subsetOf(letter) ?? "latin";
        const file = `files/${fileName(subset, weight)}`;
        const last = runs.at(-1);
        if (last?.file === file) last.text += letter;
        else runs.push({ file, text: letter });
      }
      return runs;
    },
  };
}

function spelt(text: string): string {
  return text.toWellFormed().replaceAll(/[→≤≥≈]/gu, (sign) => SPELT[sign] ?? sign);
}

function read(file: string): Buffer {
  return readFileSync(join(fontFolder(), file));
}

/** The package, or what the build made of it. */
function fontFolder(): string {
  if (!import.meta.url.endsWith(".ts")) return join(import.meta.dirname, FONT_FOLDER);
  return dirname(fileURLToPath(import.meta.resolve("@fontsource/inter/LICENSE")));
}

function fileName(subset: Subset, weight: FontWeight): string {
  return `inter-${subset}-${weight}-normal.woff`;
}

/** @param ranges as a style sheet has them: "U+0000-00FF,U+0131" */
function membership(ranges: string): (code: number) => boolean {
  const bounds = ranges.split(",").map((range) => {
    const [from = "", to = from] = range.replace("U+", "").split("-");
    return [Number.parseInt(from, 16), Number.parseInt(to, 16)] as const;
  });
  return (code) => bounds.some(([from, to]) => code >= from && code <= to);
}
