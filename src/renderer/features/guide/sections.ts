/** A part of a page under one heading, as plain text. */
export interface Section {
  /** Names the heading within its page; null for what stands above the first one below the title. */
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
const RULE_OF_TABLE = /^\s*\|?[\s:|-]+\|?\s*$/;

/** Takes a page of the guide apart: its title, and the text under each heading without the marks of its notation. */
export function readPage(markdown: string): PageText {
  let title = "";
  const sections: { anchor: string | null; title: string; lines: string[] }[] = [];
  let isCode = false;
  for (const line of markdown.split("\n")) {
    if (FENCE.test(line)) isCode = !isCode;
    const heading = isCode ? null : HEADING.exec(line);
    if (heading) {
      const words = plain(heading[2]!);
      const isTitle = heading[1] === "#";
      if (isTitle) title = words;
      sections.push({ anchor: isTitle ? null : anchorOf(words), title: words, lines: [] });
    } else if (!FENCE.test(line) && !(RULE_OF_TABLE.test(line) && line.includes("-")))
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

/** What a link to a heading says after `#`, as it is where these pages are read on the web. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}

/** A line without pictures, and links, emphasis, code, lists and tables as their words alone. */
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
