import { buffer } from "node:stream/consumers";
import { expect, it } from "vitest";
import Pdf from "pdfkit";
import { embeddedFonts, FONT_FILES, unpackWoff } from "#formats/fonts.ts";

const fonts = embeddedFonts();

/** A document with text in this font. */
async function pdfIn(font: Buffer, text: string): Promise<string> {
  const doc = new Pdf({ compress: false, info: { CreationDate: new Date(0) } });
  doc.registerFont("font", font);
  doc.font("font", 10).text(text);
  doc.end();
  return (await buffer(doc)).toString("latin1");
}

it.each(FONT_FILES.filter((file) => file.endsWith(".woff")))(
  "an unpacked font has the same glyphs, metrics and name: %s",
  async (file) => {
    const packed = fonts.read(file);
    const [, first = "41"] = /^U\+([0-9A-F]+)/.exec(fonts.rangeOf(file)) ?? [];
    const letters = Array.from({ length: 40 }, (_, i) => String.fromCodePoint(Number.parseInt(first, 16) + 32 + i));
    const text = letters.join(" ");
    const unpacked = unpackWoff(packed);
    expect(unpacked.length).toBeGreaterThan(packed.length);
    expect((await pdfIn(unpacked, text)) === (await pdfIn(packed, text))).toBe(true);
  },
);
