import { type ReportDocument, type ReportFacts, comparisonDocument } from "./document.ts";
import type { Comparison, ReportFormat } from "#shared/comparison.ts";
import { reportHtml } from "./html.ts";

export { cellsOf, type ReportFacts, STATISTICS_HEAD } from "./document.ts";

/** A comparison as one file: HTML without scripts or links, or PDF with its fonts. */
export async function comparisonReport(
  comparison: Comparison,
  facts: ReportFacts,
  format: ReportFormat,
): Promise<Uint8Array<ArrayBuffer>> {
  const document: ReportDocument = comparisonDocument(comparison, facts);
  if (format === "html") return new TextEncoder().encode(reportHtml(document));
  // Loaded on demand: it is large.
  const { reportPdf } = await import("./pdf.ts");
  return reportPdf(document);
}
