import { readFileSync } from "node:fs";
import { join } from "node:path";
import { array, assert, property, string } from "fast-check";
import { describe, expect, it } from "vitest";
import { PAGE_IDS, type PageId, readPage, targetOf } from "#renderer/features/guide/pages.ts";
import { highlighted, searchGuide } from "#renderer/features/guide/SearchResults.tsx";
import { canStep, follow, step } from "#renderer/features/guide/open.ts";
import { ROOT } from "./book.ts";

const PAGE = `# Fetching

Before it, the **cost**.

## What it costs

A [point](words-and-units.md#words) is \`one\` epoch.
![A picture](../pictures/x-light-1024.png)

| verdict | meaning |
|---|---|
| ok | all there |

\`\`\`
# not a heading
zenith plan
\`\`\`

### Zürich's way
- later
`;

it("a page is split into sections with a heading and plain text", () => {
  expect(readPage(PAGE)).toEqual({
    title: "Fetching",
    sections: [
      { anchor: null, title: "Fetching", text: "Before it, the cost." },
      {
        anchor: "what-it-costs",
        title: "What it costs",
        text: "A point is one epoch. verdict · meaning ok · all there # not a heading zenith plan",
      },
      { anchor: "zürichs-way", title: "Zürich's way", text: "later" },
    ],
  });
});

describe("the search of the guide", () => {
  const pages = new Map([["fetching", readPage(PAGE)] as const]);
  const found = (query: string): readonly (string | null)[] => searchGuide(pages, query).map((f) => f.section.anchor);

  it("finds sections with all words, by their beginnings, in any order, ignoring case and diacritics", () => {
    expect(found("EPOCH point")).toEqual(["what-it-costs"]);
    expect(found("poi ep")).toEqual(["what-it-costs"]);
    expect(found("poch")).toEqual([]);
    expect(found("epoch nothing")).toEqual([]);
    expect(found("zurich")).toEqual(["zürichs-way"]);
    expect(found("  ")).toEqual([]);
  });

  it("lists matches in headings first", () => {
    expect(found("cost")).toEqual(["what-it-costs", null]);
  });

  it("highlights words without changing the text", () => {
    expect(
      highlighted("Raw rows are drawn raw", ["raw"])
        .filter((p) => p.isMatch)
        .map((p) => p.text),
    ).toEqual(["Raw", "raw"]);
    assert(
      property(string(), array(string({ minLength: 1, maxLength: 3 })), (text, words) => {
        expect(
          highlighted(text, words)
            .map((piece) => piece.text)
            .join(""),
        ).toBe(text);
      }),
    );
  });

  it("finds every page by its title", () => {
    const all = new Map(
      PAGE_IDS.map((id) => [id, readPage(readFileSync(join(ROOT, "docs", "guide", `${id}.md`), "utf8"))] as const),
    );
    for (const [id, { title }] of all)
      expect(searchGuide(all, title.replace("?", "")).map(({ page }) => page)).toContain(id);
  });
});

it("links lead to pages, headings and allowed addresses; other targets are rejected", () => {
  const from: PageId = "export";
  expect(targetOf("series.md", from)).toEqual({ kind: "page", page: "series", anchor: null });
  expect(targetOf("storage.md#making-room", from)).toEqual({ kind: "page", page: "storage", anchor: "making-room" });
  expect(targetOf("#formats", from)).toEqual({ kind: "page", page: "export", anchor: "formats" });
  expect(targetOf("https://cfconventions.org/", from)).toEqual({
    kind: "outside",
    address: "https://cfconventions.org/",
  });
  for (const bad of ["", "other.md", "https://example.org/", "javascript:alert(1)", "../architecture.md"])
    expect(targetOf(bad, from)).toEqual({ kind: "nowhere" });
});

it("back and forward navigate visited pages; following a link discards the pages ahead", () => {
  let trail: Parameters<typeof step>[0] = {
    before: [],
    visit: { id: 1, page: "first-minute", anchor: null },
    after: [],
  };
  const place = (): string => trail.visit.page;
  expect(canStep(trail, -1)).toBe(false);
  trail = follow(follow(trail, "series", null), "map", "colours");
  trail = step(step(trail, -1), -1);
  expect(place()).toBe("first-minute");
  expect(step(trail, -1)).toBe(trail);
  trail = step(trail, 1);
  expect(place()).toBe("series");
  trail = follow(trail, "export", null);
  expect(place()).toBe("export");
  expect(canStep(trail, 1)).toBe(false);
  // The discarded visit of the map had the id 3.
  expect(trail.before.map(({ id }) => id)).toEqual([1, 2]);
  expect(trail.visit.id).toBe(4);
});
