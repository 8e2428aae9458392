import type { ReportDocument, ReportPart } from "./document.ts";
import { LOOKS, type Mark, type ReportFigure } from "./figure.ts";
import type { FontWeight } from "../fonts.ts";
import { createPdf } from "../pdf.ts";

const MARGIN = 40;
const INK = "#1b1f24";
const RULE = "#d6dbe1";
const TEXT_SIZE = 9;
const HEADING_SIZE = { 1: 16, 2: 12 } as const;
const TABLE_SIZE = 7.5;
/** Space beside the text of a cell, points. */
const CELL_PADDING = 4;
/** Points per pixel of a figure, whose texts are 11 pixels high. */
const FIGURE_SCALE = 0.585;
const FIGURE_TEXT = 11;
const FIGURE_GAP = 12;

/** Writes a report as a PDF on A4, landscape, with vector figures and embedded fonts. */
export async function reportPdf({ title, program, madeAtMs, parts }: ReportDocument): Promise<Uint8Array<ArrayBuffer>> {
  const page = createPage({ title, program, createdMs: madeAtMs });
  for (const part of parts) page.add(part);
  return page.finish(`${title} · ${program}`);
}

function createPage(about: Parameters<typeof createPdf>[0]) {
  // The number of pages is known at the end.
  const layout = { size: "A4", layout: "landscape", margin: MARGIN, bufferPages: true } as const;
  const { doc, runs: runsOf, useFont, widthOf, writeLine, finish } = createPdf(about, layout);
  const width = doc.page.width - 2 * MARGIN;
  const bottom = doc.page.height - MARGIN;

  /** Writes wrapped lines with the width of the page. */
  function writeLines(text: string, size: number, weight: FontWeight, indent = 0): void {
    const runs = runsOf(text, weight);
    doc.fillColor(INK, 1);
    for (const [i, run] of runs.entries()) {
      useFont(run, size);
      const options = { width: width - indent, continued: i < runs.length - 1 };
      if (i === 0) doc.text(run.text, MARGIN + indent, doc.y, options);
      else doc.text(run.text, options);
    }
  }

  function ensureSpace(height: number): void {
    if (doc.y + height > bottom) doc.addPage();
  }

  function addTable({ head, rows, names }: ReportPart & { readonly kind: "table" }): void {
    const widest = head.map((text, c) =>
      rows.reduce((max, row) => Math.max(max, widthOf(row[c] ?? "", TABLE_SIZE, 400)), widthOf(text, TABLE_SIZE, 600)),
    );
    const natural = widest.reduce((sum, own) => sum + own + 2 * CELL_PADDING, 0);
    const shrink = Math.min(1, width / natural);
    const size = TABLE_SIZE * shrink;
    const widths = widest.map((own) => (own + 2 * CELL_PADDING) * shrink);
    const rowHeight = size * 1.8;
    const addRow = (texts: readonly string[], weight: FontWeight): void => {
      const y = doc.y;
      let x = MARGIN;
      doc.fillColor(INK, 1);
      for (const [c, own] of widths.entries()) {
        const text = texts[c] ?? "";
        // Names are left-aligned, numbers right-aligned.
        const start =
          c < names ? x + CELL_PADDING * shrink : x + own - CELL_PADDING * shrink - widthOf(text, size, weight);
        writeLine(text, start, y + size * 1.25, size, weight);
        x += own;
      }
      const under = y + rowHeight;
      doc.moveTo(MARGIN, under).lineTo(x, under).lineWidth(0.5).strokeColor(RULE).stroke();
      doc.y = under;
    };
    ensureSpace(3 * rowHeight);
    addRow(head, 600);
    for (const row of rows) {
      if (doc.y + rowHeight > bottom) {
        doc.addPage();
        addRow(head, 600);
      }
      addRow(row, 400);
    }
    doc.y += TEXT_SIZE;
  }

  function addFigures(figures: readonly ReportFigure[]): void {
    let x = MARGIN;
    let height = 0;
    for (const figure of figures) {
      const caption = figure.caption === undefined ? 0 : TEXT_SIZE * 1.4;
      const own = { width: figure.width * FIGURE_SCALE, height: figure.height * FIGURE_SCALE + caption };
      if (x > MARGIN && x + own.width > MARGIN + width) {
        doc.y += height + FIGURE_GAP;
        [x, height] = [MARGIN, 0];
      }
      if (x === MARGIN) ensureSpace(own.height);
      const y = doc.y;
      if (figure.caption !== undefined) {
        doc.fillColor(INK, 1);
        writeLine(figure.caption, x, y + TEXT_SIZE, TEXT_SIZE, 600);
      }
      drawFigure(figure, x, y + caption);
      doc.y = y;
      x += own.width + FIGURE_GAP;
      height = Math.max(height, own.height);
    }
    doc.y += height + FIGURE_GAP;
  }

  function drawFigure({ marks }: ReportFigure, x: number, y: number): void {
    doc.save().translate(x, y).scale(FIGURE_SCALE);
    for (const mark of marks) drawMark(mark);
    doc.restore();
  }

  function drawMark(mark: Mark): void {
    const { stroke, strokeWidth = 1, fill, fillOpacity = 1 } = LOOKS[mark.look];
    if (mark.kind === "text") {
      const before = mark.anchor === "start" ? 0 : widthOf(mark.text, FIGURE_TEXT, 400);
      doc.save().translate(mark.x, mark.y);
      if (mark.isUpright) doc.rotate(-90);
      doc.fillColor(fill ?? INK, 1);
      writeLine(mark.text, mark.anchor === "end" ? -before : -before / 2, 0, FIGURE_TEXT, 400);
      doc.restore();
      return;
    }
    if (mark.kind === "rect") doc.rect(mark.x, mark.y, mark.width, mark.height);
    else if (mark.kind === "circle") doc.circle(mark.x, mark.y, mark.radius);
    else if (mark.path === "") return;
    else doc.path(mark.path);
    const opacity = mark.kind === "rect" ? (mark.opacity ?? fillOpacity) : fillOpacity;
    if (fill !== undefined) doc.fillColor(fill, opacity).fill();
    else
      doc
        .lineWidth(strokeWidth)
        .strokeColor(stroke ?? INK)
        .stroke();
  }

  return {
    add(part: ReportPart): void {
      switch (part.kind) {
        case "heading": {
          const size = HEADING_SIZE[part.level];
          // Keeps a heading together with the following lines.
          ensureSpace(size * 5);
          doc.y += part.level === 1 ? 0 : size * 0.7;
          doc.outline.addItem(part.text);
          writeLines(part.text, size, 600);
          doc.y += size * 0.3;
          return;
        }
        case "paragraph":
          writeLines(part.text, TEXT_SIZE, 400);
          doc.y += TEXT_SIZE * 0.4;
          return;
        case "list":
          for (const item of part.items) writeLines(`• ${item}`, TEXT_SIZE, 400, 10);
          doc.y += TEXT_SIZE * 0.4;
          return;
        case "table":
          addTable(part);
          return;
        case "figures":
          addFigures(part.figures);
          return;
        case "command":
          writeLines(part.text, TEXT_SIZE, 400, 10);
      }
    },
    /** @param foot footer of each page, before its number */
    async finish(foot: string): Promise<Uint8Array<ArrayBuffer>> {
      const { start, count } = doc.bufferedPageRange();
      for (let i = 0; i < count; i++) {
        doc.switchToPage(start + i);
        // Text below the margin would start a new page.
        doc.page.margins.bottom = 0;
        doc.fillColor(LOOKS.tick.fill ?? INK, 1);
        writeLine(`${foot} · ${i + 1} of ${count}`, MARGIN, doc.page.height - MARGIN / 2, 7, 400);
      }
      return finish();
    },
  };
}
