import PdfKit from "pdfkit";
import { embeddedFonts, type FontRun, type FontWeight, unpackWoff } from "./fonts.ts";

/** A document with its own fonts: the standard ones have too few glyphs and are not embedded. */
export class Pdf {
  readonly doc: PDFKit.PDFDocument;
  readonly #chunks: Uint8Array[] = [];
  readonly #ended;
  readonly #fonts = embeddedFonts();
  readonly #registered = new Set<string>();

  readonly widthOf = (text: string, size: number, weight: FontWeight): number =>
    this.#fonts.runs(text, weight).reduce((sum, run) => {
      this.useFont(run, size);
      return sum + this.doc.widthOfString(run.text);
    }, 0);

  /** Writes one line. @param y baseline */
  readonly writeLine = (
    text: string,
    at: { readonly x: number; readonly y: number },
    size: number,
    weight: FontWeight,
  ): void => {
    let { x } = at;
    for (const run of this.#fonts.runs(text, weight)) {
      this.useFont(run, size);
      this.doc.text(run.text, x, at.y, { lineBreak: false, baseline: "alphabetic" });
      x += this.doc.widthOfString(run.text);
    }
  };

  constructor(
    about: { readonly title: string; readonly program: string; readonly createdMs: number },
    layout: PDFKit.PDFDocumentOptions,
  ) {
    this.doc = new PdfKit({
      ...layout,
      font: "",
      lang: "en",
      displayTitle: true,
      info: { Title: about.title, Creator: about.program, CreationDate: new Date(about.createdMs) },
    });
    this.#ended = new Promise<void>((resolve, reject) => {
      this.doc.on("data", (chunk: Uint8Array) => this.#chunks.push(chunk));
      this.doc.on("end", resolve);
      this.doc.on("error", reject);
    });
  }

  /** Splits a text by font. */
  runs(text: string, weight: FontWeight): readonly FontRun[] {
    return this.#fonts.runs(text, weight);
  }

  useFont({ file }: FontRun, size: number): void {
    if (!this.#registered.has(file)) this.doc.registerFont(file, unpackWoff(this.#fonts.read(file)));
    this.#registered.add(file);
    this.doc.font(file, size);
  }

  async finish(): Promise<Uint8Array<ArrayBuffer>> {
    this.doc.end();
    await this.#ended;
    // The bridge cannot carry a Node Buffer.
    return new Uint8Array(Buffer.concat(this.#chunks));
  }
}
