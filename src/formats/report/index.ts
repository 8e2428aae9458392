import type { Comparison } from "#shared/comparison.ts";
import { escapeXml } from "#shared/text.ts";
import { comparisonDocument, type ReportDocument, type ReportFacts, type ReportPart } from "./document.ts";
import { svgElement } from "../figure/svg.ts";
import type { ReportFigure } from "./figures.ts";

export { cellsOf, type ReportFacts, STATISTICS_HEAD } from "./document.ts";

/** Writes a report as one HTML file without scripts or links. */
function reportHtml({ title, parts }: ReportDocument): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>${escapeXml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
${parts.map(htmlPart).join("\n")}
</body>
</html>
`;
}

function htmlPart(part: ReportPart): string {
  switch (part.kind) {
    case "heading":
      return `<h${part.level}>${escapeXml(part.text)}</h${part.level}>`;
    case "paragraph":
      return `<p>${escapeXml(part.text)}</p>`;
    case "list":
      return `<ul>${part.items.map((item) => `<li>${escapeXml(item)}</li>`).join("")}</ul>`;
    case "table": {
      const body = part.rows.map((row) => tableRow(row, "td", part.names)).join("");
      const head = tableRow(part.head, "th", part.names);
      return `<div class="wide"><table><thead>${head}</thead><tbody>${body}</tbody></table></div>`;
    }
    case "figures":
      return `<div class="figures">${part.figures.map(htmlFigure).join("")}</div>`;
    case "command":
      return `<pre>${escapeXml(part.text)}</pre>`;
  }
}

function htmlFigure(figure: ReportFigure): string {
  const caption = figure.caption === undefined ? "" : `<figcaption>${escapeXml(figure.caption)}</figcaption>`;
  return `<figure>${caption}${svgElement(figure.scene)}</figure>`;
}

function tableRow(texts: readonly string[], tag: "th" | "td", names: number): string {
  const cells = texts.map((text, c) => `<${tag}${c < names ? ' class="name"' : ""}>${escapeXml(text)}</${tag}>`);
  return `<tr>${cells.join("")}</tr>`;
}

const STYLE = `
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 84rem; padding: 0 1rem; color: #1b1f24; background: #fff; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 13px; }
th, td { padding: 3px 8px; text-align: right; border-bottom: 1px solid #d6dbe1; white-space: nowrap; }
.name { text-align: left; }
.wide { overflow-x: auto; } .figures { display: flex; flex-wrap: wrap; gap: 1rem; } figure { margin: 0; max-width: 100%; } figcaption { font-weight: 600; }
svg { max-width: 100%; height: auto; }
pre { background: #f3f5f7; padding: 0.75rem; overflow-x: auto; }
@media print { body { margin: 0; max-width: none; } figure, tr { break-inside: avoid; } .wide { overflow: visible; } table { font-size: 9px; } th, td { padding: 2px 3px; } }
`;

/** Writes the report of a comparison as one HTML file without scripts or links. */
export function comparisonReport(comparison: Comparison, facts: ReportFacts): string {
  return reportHtml(comparisonDocument(comparison, facts));
}
