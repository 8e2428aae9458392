/** The part of a page under one heading, as plain text. */
export interface Section {
  /** The anchor of the heading; null for the text between the title and the first heading. */
  readonly anchor: string | null;
  readonly title: string;
  readonly text: string;
}

export interface PageText {
  readonly title: string;
  readonly sections: readonly Section[];
}

const HEADING = /^(#{1,3}) (.+)$/;
const FENCE = /^\s*```/;
const TABLE_RULE = /^\s*\|?[\s:|-]+\|?\s*$/;

/** Splits a page of the guide into its title and the plain text under each heading. */
export function readPage(markdown: string): PageText {
  let title = "";
  const sections: { anchor: string | null; title: string; lines: string[] }[] = [];
  let isCode = false;
  for (const line of markdown.split("\n")) {
    if (FENCE.test(line)) isCode = !isCode;
    const [heading, marks, text] = (isCode ? null : HEADING.exec(line)) ?? [];
    if (heading !== undefined) {
      const words = plain(text ?? "");
      const isTitle = marks === "#";
      if (isTitle) title = words;
      sections.push({ anchor: isTitle ? null : anchorOf(words), title: words, lines: [] });
    } else if (!FENCE.test(line) && !(TABLE_RULE.test(line) && line.includes("-")))
      sections.at(-1)?.lines.push(isCode ? line : plain(line));
  }
  return {
    title,
    sections: sections.map(({ anchor, title, lines }) => ({
      anchor,
      title,
      text: lines.join(" ").replaceAll(/\s+/g, " ").trim(),
    })),
  };
}

/** Returns the anchor of a heading, as GitHub generates it. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}

/** Removes pictures from a line of Markdown, and the markup of links, emphasis, code, lists and tables. */
function plain(line: string): string {
  return line
    .replaceAll(/!\[[^\]]*\]\([^)]*\)/g, "")
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll("**", "")
    .replaceAll("`", "")
    .replace(/^\s*(?:[-*>]|\d+\.)\s+/, "")
    .replaceAll(/\s*\|\s*/g, " · ")
    .replaceAll(/^ · | · $/g, "");
}
