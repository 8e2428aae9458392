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
