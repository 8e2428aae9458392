/** Standard fonts, which every PDF reader provides. */
export type PdfFont = "Helvetica" | "Helvetica-Bold" | "Symbol";

/** Consecutive characters in one font. */
export interface PdfRun {
  /** null if no font has these characters. */
  readonly font: PdfFont | null;
  readonly text: string;
  /** Character codes in the font. */
  readonly codes: readonly number[];
  /** In thousandths of the font size; 0 without a font. */
  readonly width: number;
}

/** Splits a text into runs: Latin characters in Helvetica, characters such as ≤ and σ in Symbol, the rest without a font. */
export function pdfRuns(text: string, isBold: boolean): PdfRun[] {
  const helvetica = isBold ? "Helvetica-Bold" : "Helvetica";
  const widths = isBold ? BOLD : REGULAR;
  const runs: { font: PdfFont | null; text: string; codes: number[]; width: number }[] = [];
  for (const letter of text.toWellFormed()) {
    const latin = latinCode(letter);
    const symbol = SYMBOLS.get(letter);
    const font = latin !== null ? helvetica : symbol ? "Symbol" : null;
    let run = runs.at(-1);
    if (run?.font !== font) runs.push((run = { font, text: "", codes: [], width: 0 }));
    run.text += letter;
    if (latin !== null) {
      run.codes.push(latin);
      run.width += widths[latin - 32] ?? 0;
    } else if (symbol) {
      run.codes.push(symbol[0]);
      run.width += symbol[1];
    }
  }
  return runs;
}

/** Returns the code of a character in WinAnsiEncoding (PDF 32000-1, annex D), or null. */
function latinCode(letter: string): number | null {
  const code = letter.codePointAt(0) ?? 0;
  if ((code >= 32 && code < 127) || (code >= 160 && code < 256)) return code;
  const at = CP1252.indexOf(letter);
  return at < 0 ? null : 128 + at;
}

/** Characters 128 to 159 of Windows-1252; a space for undefined codes. */
const CP1252 = "€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ".replaceAll(" ", "\0");

/** Characters that Helvetica lacks: code in Symbol, and width in thousandths of the font size. */
const SYMBOLS: ReadonlyMap<string, readonly [number, number]> = new Map([
  ["−", [45, 549]],
  ["≤", [163, 549]],
  ["≥", [179, 549]],
  ["≠", [185, 549]],
  ["≈", [187, 549]],
  ["→", [174, 987]],
  ["σ", [115, 603]],
  ["Δ", [68, 612]],
  ["α", [97, 631]],
  ["β", [98, 549]],
  ["δ", [100, 494]],
]);

// Widths of codes 32 to 255 in thousandths of the font size, from the metrics of Helvetica and Helvetica-Bold.
const REGULAR = (
  "278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 " +
  "556 556 278 278 584 584 584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 " +
  "667 778 722 667 611 722 667 944 667 667 611 278 278 278 469 556 333 556 556 500 556 556 278 556 " +
  "556 222 222 500 222 833 556 556 556 556 333 500 278 556 500 722 500 500 500 334 260 334 584 278 " +
  "556 278 222 556 333 1000 556 556 333 1000 667 333 1000 278 611 278 278 222 222 333 333 350 556 1000 " +
  "333 1000 500 333 944 278 500 667 278 333 556 556 556 556 260 556 333 737 370 556 584 333 737 333 " +
  "400 584 333 333 333 556 537 278 333 333 365 556 834 834 834 611 667 667 667 667 667 667 1000 722 " +
  "667 667 667 667 278 278 278 278 722 722 778 778 778 778 778 584 778 722 722 722 722 667 667 611 " +
  "556 556 556 556 556 556 889 500 556 556 556 556 278 278 278 278 556 556 556 556 556 556 556 584 " +
  "611 556 556 556 556 500 556 500"
)
  .split(" ")
  .map(Number);
const BOLD = (
  "278 333 474 556 556 889 722 238 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 " +
  "556 556 333 333 584 584 584 611 975 722 722 722 722 667 611 778 722 278 556 722 611 833 722 778 " +
  "667 778 722 667 611 722 667 944 667 667 611 333 278 333 584 556 333 556 611 556 611 556 333 611 " +
  "611 278 278 556 278 889 611 611 611 611 389 556 333 611 556 778 556 556 500 389 280 389 584 278 " +
  "556 278 278 556 500 1000 556 556 333 1000 667 333 1000 278 611 278 278 278 278 500 500 350 556 1000 " +
  "333 1000 556 333 944 278 500 667 278 333 556 556 556 556 280 556 333 737 370 556 584 333 737 333 " +
  "400 584 333 333 333 611 556 278 333 333 365 556 834 834 834 611 722 722 722 722 722 722 1000 722 " +
  "667 667 667 667 278 278 278 278 722 722 778 778 778 778 778 584 778 722 722 722 722 667 667 611 " +
  "556 556 556 556 556 556 889 556 556 556 556 556 278 278 278 278 611 611 611 611 611 611 611 584 " +
  "611 611 611 611 611 556 611 556"
)
  .split(" ")
  .map(Number);

/** The numbered objects of a PDF file. */
export interface PdfObjects {
  /** Returns a number whose object is set later by `fill`. */
  reserve(): number;
  fill(id: number, body: string): void;
  add(body: string): number;
  /** Adds a deflated stream. @param head entries of its dictionary, except length and filter */
  stream(head: string, bytes: Uint8Array<ArrayBuffer>): Promise<number>;
  /** Returns the bytes of the file: header, objects, cross-reference table and trailer. */
  file(catalogue: number, info: number): Uint8Array<ArrayBuffer>;
}

/** Collects objects and writes them as PDF 1.7 (ISO 32000-1, 7.5). */
export function pdfObjects(): PdfObjects {
  const bodies: (readonly Uint8Array[])[] = [];
  return {
    reserve: () => bodies.push([]),
    fill(id, body) {
      bodies[id - 1] = [ascii(body)];
    },
    add: (body) => bodies.push([ascii(body)]),
    async stream(head, bytes) {
      const data = await deflate(bytes);
      return bodies.push([
        ascii(`<< ${head} /Length ${data.length} /Filter /FlateDecode >>\nstream\n`),
        data,
        ascii("\nendstream"),
      ]);
    },
    file(catalogue, info) {
      // The second line marks the file as binary.
      const parts: Uint8Array[] = [ascii("%PDF-1.7\n%"), Uint8Array.of(0xe2, 0xe3, 0xcf, 0xd3, 0x0a)];
      let length = parts.reduce((sum, part) => sum + part.length, 0);
      const add = (part: Uint8Array): void => {
        parts.push(part);
        length += part.length;
      };
      const offsets = bodies.map((body, i) => {
        const at = length;
        add(ascii(`${i + 1} 0 obj\n`));
        for (const part of body) add(part);
        add(ascii("\nendobj\n"));
        return at;
      });
      const start = length;
      const lines = offsets.map((at) => `${String(at).padStart(10, "0")} 00000 n \n`);
      add(ascii(`xref\n0 ${offsets.length + 1}\n0000000000 65535 f \n${lines.join("")}`));
      add(ascii(`trailer\n<< /Size ${offsets.length + 1} /Root ${catalogue} 0 R /Info ${info} 0 R >>\n`));
      add(ascii(`startxref\n${start}\n%%EOF\n`));
      const out = new Uint8Array(length);
      let at = 0;
      for (const part of parts) {
        out.set(part, at);
        at += part.length;
      }
      return out;
    },
  };
}

async function deflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function ascii(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
