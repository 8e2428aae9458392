import { judge, type Judged } from "./statistics.ts";
import type { Finding } from "./types.ts";

const HEADS = ["figure", "ours", "peer", "its median", "ratio", "goal", ""];
/** Columns of numbers, which are aligned to the right. */
const RIGHT = new Set([1, 3, 4]);

export function table(findings: readonly Finding[]): string {
  const lines = [HEADS, ...findings.map((finding) => cells(finding, judge(finding)))];
  const widths = HEADS.map((_, c) => Math.max(...lines.map((line) => line[c]!.length)));
  const text = lines.map((line) =>
    line
      .map((cell, c) => (RIGHT.has(c) ? cell.padStart(widths[c]!) : cell.padEnd(widths[c]!)))
      .join("  ")
      .trimEnd(),
  );
  text.splice(1, 0, widths.map((width) => "─".repeat(width)).join("  "));
  const notes = findings.flatMap((f) => (f.note === null ? [] : [`${f.name}: ${f.note}`]));
  return [...text, "", ...new Set([...notes, ...absences(findings)])].join("\n");
}

function cells(finding: Finding, judged: Judged): string[] {
  const { ours, peers, ratio, verdict } = judged;
  return [
    finding.name,
    Number.isNaN(ours) ? "failed" : `${figure(ours)} ${finding.unit}`,
    finding.peer?.name ?? "",
    peers === null ? "" : `${figure(peers)} ${finding.unit}`,
    ratio === null ? "" : `${ratio.toFixed(ratio < 10 ? 2 : 1)} ×`,
    finding.goal?.text ?? "",
    finding.goal === null ? "" : verdict,
  ];
}

/** Three significant digits. */
function figure(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString("en-US");
  return value.toPrecision(3);
}

function absences(findings: readonly Finding[]): string[] {
  return findings.flatMap(({ peer }) =>
    peer && "absent" in peer ? [`Without its peer (${peer.name}), no ratio: ${peer.absent}`] : [],
  );
}
