import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cut, right, shrinking, table } from "#main/cli/terminal/table.ts";
import { bytes, duration, jsonText, visible, visibleLines } from "#main/cli/terminal/text.ts";
import { toPlainJson } from "#main/cli/terminal/output.ts";
import { anyCharacter } from "../support/characters.ts";

/** Control characters by Unicode category, unlike the list in the code. */
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c\ufeff\u200b]|\p{Surrogate}/u;
const anyText = fc.string({ unit: anyCharacter });

describe("text from others", () => {
  it("is shown without control characters", () => {
    const escaped = fc.property(anyText, (text) => {
      expect(visible(text)).not.toMatch(CONTROL);
      expect(visibleLines(text).replaceAll("\n", "")).not.toMatch(CONTROL);
    });
    fc.assert(escaped);
  });

  it("is unchanged for names in any script", () => {
    for (const name of [
      "Älvsborgsudden, Outer Pier",
      "凪ヶ浦 “Nagigaura”",
      "تل النور",
      "ነፋስ አምባ",
      "=SUM(A1)",
      "e\u0301",
    ]) {
      expect(visible(name)).toBe(name);
    }
  });

  it("as JSON has the same value without control characters", () => {
    fc.assert(
      fc.property(fc.dictionary(anyText, anyText), (value) => {
        expect(JSON.parse(jsonText(value))).toEqual(JSON.parse(JSON.stringify(value)));
        expect(jsonText(value)).not.toMatch(CONTROL);
        expect(JSON.parse(jsonText(value, 2))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});

describe("tables", () => {
  const columns = { Station: shrinking(([name]: string[]) => name!), Rows: right(([, rows]: string[]) => rows!) };

  it("each row is one line, for any content", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(anyText, anyText)), (rows) => {
        const lines = table(rows, columns, null);
        expect(lines).toHaveLength(rows.length + 2);
        for (const line of lines) expect(line).not.toMatch(CONTROL);
      }),
    );
  });

  it("columns are aligned, and narrowed to the width of the terminal", () => {
    const name = fc.string({ unit: fc.constantFrom("a", "ä", "東", "e\u0301", "W"), maxLength: 60 });
    fc.assert(
      fc.property(fc.array(fc.tuple(name, fc.constantFrom("1", "23", "456")), { minLength: 1 }), (rows) => {
        const lines = table(rows, columns, 30);
        const widths = lines.map((line) => displayWidth(line));
        expect(Math.max(...widths)).toBeLessThanOrEqual(30);
        // The last column is aligned right, so every line has the same width.
        expect(new Set(widths).size).toBe(1);
      }),
    );
  });
});

/** Columns of a terminal that a text takes: the length of the rule of a table. */
function displayWidth(text: string): number {
  return table([text], { "": (cell) => cell }, null)[1]?.length ?? 0;
}

describe("display width", () => {
  it("cut text fits and is a prefix of the text, or the whole text if it fits", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 1, max: 40 }), (text, columns) => {
        const short = cut(text, columns);
        expect(displayWidth(short)).toBeLessThanOrEqual(columns);
        const fits = displayWidth(text) <= columns;
        expect(fits ? short === text : text.startsWith(short.slice(0, -1))).toBe(true);
      }),
    );
  });

  it("wide characters count two columns, combining ones none", () => {
    expect(displayWidth("東京")).toBe(4);
    expect(displayWidth("e\u0301")).toBe(1);
    expect(displayWidth("Kallio")).toBe(6);
  });
});

describe("numbers", () => {
  it("have separators and units", () => {
    expect([0, 999, 1_000, 15_700_000, 154_569_094, 999_999].map(bytes)).toEqual([
      "0 B",
      "999 B",
      "1.0 kB",
      "15.7 MB",
      "155 MB",
      "1.0 MB",
    ]);
    expect([0, 0.44, 4, 65, 3_600, 3_605, 273_600, 59.96].map(duration)).toEqual([
      "0 s",
      "0.4 s",
      "4 s",
      "1 min 5 s",
      "1 h",
      "1 h",
      "3 d 4 h",
      "1 min",
    ]);
  });

  it("in documents have the service's names, ISO times and null for NaN", () => {
    expect(
      toPlainJson({ displayName: "a", range: { startMs: 0, endMs: null }, ztd: Number.NaN, list: [{ timeMs: 1 }] }),
    ).toEqual({
      display_name: "a",
      range: { start: "1970-01-01T00:00:00Z", end: null },
      ztd: null,
      list: [{ time: "1970-01-01T00:00:00.001Z" }],
    });
  });
});
