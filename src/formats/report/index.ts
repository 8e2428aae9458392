import { type ReportDocument, type ReportFacts, comparisonDocument } from "./document.ts";
import type { Comparison, ReportFormat } from "#shared/comparison.ts";
import { reportHtml } from "./html.ts";

export { cellsOf, type ReportFacts, STATISTICS_HEAD } from "./document.ts";

/** Writes the report of a comparison as one file: HTML without scripts or links, or PDF with embedded fonts. */
export async function comparisonReport(
  comparison: Comparison,
  facts: ReportFacts,
  format: ReportFormat,
): Promise<Uint8Array<ArrayBuffer>> {
  const document: ReportDocument = comparisonDocument(comparison, facts);
  if (format === "html") return new TextEncoder().encode(reportHtml(document));
  // Imported on demand, because it is large.
  const { reportPdf } = await import("./pdf.ts");
  return reportPdf(document);
}
