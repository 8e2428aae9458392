import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { inflateSync } from "node:zlib";

/** Alphabets, each in a font file of its own. */
const SUBSETS = ["latin", "latin-ext", "greek", "cyrillic"] as const;
type Subset = (typeof SUBSETS)[number];
const WEIGHTS = [400, 600] as const;
export type FontWeight = (typeof WEIGHTS)[number];

/** Folder of the fonts in the built program. */
export const FONT_FOLDER = "inter";

/** The files of Inter: one for each alphabet and weight, and the list of their characters. */
export const FONT_FILES = [
  ...SUBSETS.flatMap((subset) => WEIGHTS.map((weight) => `files/${fileName(subset, weight)}`)),
  "unicode.json",
];

/** Replacements of signs that these files lack. */
const REPLACEMENTS: Readonly<Record<string, string>> = { "→": "–", "≤": "<=", "≥": ">=", "≈": "~" };

/** A part of a text whose characters are all in one file. */
export interface FontRun {
  readonly file: string;
  readonly text: string;
}

interface EmbeddedFonts {
  /** Splits a text by file. Characters of no file are assigned to the Latin one, which draws a box. */
  runs(text: string, weight: FontWeight): readonly FontRun[];
  read(file: string): Buffer;
  /** Whether a text has characters of no file. */
  hasOthers(text: string): boolean;
  /** Returns the CSS `unicode-range` of a file: "U+0000-00FF,U+0131". */
  rangeOf(file: string): string;
}

export function embeddedFonts(): EmbeddedFonts {
  const ranges = JSON.parse(readFont("unicode.json").toString("utf8")) as Record<string, string | undefined>;
  const subsets = SUBSETS.map((subset) => ({ subset, has: membership(ranges[subset] ?? "") }));
  const subsetOf = (letter: string): Subset | undefined =>
    subsets.find(({ has }) => has(letter.codePointAt(0) ?? 0))?.subset;
  return {
    read: readFont,
    hasOthers: (text) => Array.from(replaced(text)).some((letter) => subsetOf(letter) === undefined),
    rangeOf: (file) =>
      ranges[SUBSETS.find((subset) => WEIGHTS.some((w) => file.endsWith(fileName(subset, w)))) ?? ""] ?? "",
    runs(text, weight) {
      const runs: { file: string; text: string }[] = [];
      for (const letter of replaced(text)) {
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

function replaced(text: string): string {
  return text.toWellFormed().replaceAll(/[→≤≥≈]/gu, (sign) => REPLACEMENTS[sign] ?? sign);
}

function readFont(file: string): Buffer {
  return readFileSync(join(fontFolder(), file));
}

/** Folder of the installed package, or of the built program. */
function fontFolder(): string {
  if (!import.meta.url.endsWith(".ts")) return join(import.meta.dirname, FONT_FOLDER);
  return dirname(fileURLToPath(import.meta.resolve("@fontsource/inter/LICENSE")));
}

function fileName(subset: Subset, weight: FontWeight): string {
  return `inter-${subset}-${weight}-normal.woff`;
}

/** @param ranges CSS `unicode-range`: "U+0000-00FF,U+0131" */
function membership(ranges: string): (code: number) => boolean {
  const bounds = ranges.split(",").map((range) => {
    const [from = "", to = from] = range.replace("U+", "").split("-");
    return [Number.parseInt(from, 16), Number.parseInt(to, 16)] as const;
  });
  return (code) => bounds.some(([from, to]) => code >= from && code <= to);
}

const HEADER_BYTES = 44;
const ENTRY_BYTES = 20;
const SFNT_HEADER_BYTES = 12;
const SFNT_ENTRY_BYTES = 16;

/**
 * Unpacks a font of the Web Open Font Format (W3C, WOFF 1.0) as TrueType or OpenType. Reading the packed font, the PDF
 * library unpacks it by itself, which takes it longer than all of its other work.
 */
export function unpackWoff(woff: Buffer): Buffer {
  const count = woff.readUInt16BE(12);
  const head = Buffer.alloc(SFNT_HEADER_BYTES + count * SFNT_ENTRY_BYTES);
  woff.copy(head, 0, 4, 8);
  head.writeUInt16BE(count, 4);
  const exponent = Math.floor(Math.log2(count));
  head.writeUInt16BE(2 ** exponent * SFNT_ENTRY_BYTES, 6);
  head.writeUInt16BE(exponent, 8);
  head.writeUInt16BE((count - 2 ** exponent) * SFNT_ENTRY_BYTES, 10);
  const parts: Buffer[] = [head];
  let end = head.length;
  for (let i = 0; i < count; i++) {
    const from = HEADER_BYTES + i * ENTRY_BYTES;
    const [offset, packedLength, length] = [4, 8, 12].map((at) => woff.readUInt32BE(from + at)) as [
      number,
      number,
      number,
    ];
    const packed = woff.subarray(offset, offset + packedLength);
    const table = packedLength < length ? inflateSync(packed) : packed;
    const to = SFNT_HEADER_BYTES + i * SFNT_ENTRY_BYTES;
    woff.copy(head, to, from, from + 4);
    woff.copy(head, to + 4, from + 16, from + 20);
    head.writeUInt32BE(end, to + 8);
    head.writeUInt32BE(length, to + 12);
    // Tables begin at multiples of four bytes.
    const padding = -length & 3;
    parts.push(table, Buffer.alloc(padding));
    end += length + padding;
  }
  return Buffer.concat(parts);
}
