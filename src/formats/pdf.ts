import PdfKit from "pdfkit";
import { embeddedFonts, type FontRun, type FontWeight, unpackWoff } from "./fonts.ts";

/** A document with its own fonts: the standard ones have too few glyphs and are not embedded. */
export interface Pdf {
  readonly doc: PDFKit.PDFDocument;
  /** Splits a text by font. */
  runs(text: string, weight: FontWeight): readonly FontRun[];
  useFont(run: FontRun, size: number): void;
  widthOf(text: string, size: number, weight: FontWeight): number;
  /** Writes one line. @param y baseline */
  writeLine(text: string, at: { readonly x: number; readonly y: number }, size: number, weight: FontWeight): void;
  finish(): Promise<Uint8Array<ArrayBuffer>>;
}

export function createPdf(
  about: { readonly title: string; readonly program: string; readonly createdMs: number },
  layout: PDFKit.PDFDocumentOptions,
): Pdf {
  const doc = new PdfKit({
    ...layout,
    font: "",
    lang: "en",
    displayTitle: true,
    info: { Title: about.title, Creator: about.program, CreationDate: new Date(about.createdMs) },
  });
  const chunks: Uint8Array[] = [];
  const ended = new Promise<void>((resolve, reject) => {
    doc.on("data", (chunk: Uint8Array) => chunks.push(chunk));
    doc.on("end", resolve);
    doc.on("error", reject);
  });
  const fonts = embeddedFonts();
  const registered = new Set<string>();

  function useFont({ file }: FontRun, size: number): void {
    if (!registered.has(file)) doc.registerFont(file, unpackWoff(fonts.read(file)));
    registered.add(file);
    doc.font(file, size);
  }

  return {
    doc,
    runs: fonts.runs,
    useFont,
    widthOf: (text, size, weight) =>
      fonts.runs(text, weight).reduce((sum, run) => {
        useFont(run, size);
        return sum + doc.widthOfString(run.text);
      }, 0),
    writeLine(text, at, size, weight) {
      let { x } = at;
      for (const run of fonts.runs(text, weight)) {
        useFont(run, size);
        doc.text(run.text, x, at.y, { lineBreak: false, baseline: "alphabetic" });
        x += doc.widthOfString(run.text);
      }
    },
    async finish() {
      doc.end();
      await ended;
      // The bridge cannot carry a Node Buffer.
      return new Uint8Array(Buffer.concat(chunks));
    },
  };
}
