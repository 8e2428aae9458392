import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { scratchFolder } from "../tools.ts";
import { mustShow } from "./support.ts";

const folder = scratchFolder();

/** The first series of a table, and the notes without the one on separators and times. */
async function read(text: string | Buffer): Promise<object> {
  const { labels, values, notes } = await mustShow(join(folder, "table.csv"), text);
  return { label: labels[0], values, notes: notes.filter((note) => !note.startsWith("A table separated by")) };
}

function table(fields: readonly string[], name = "ztd_mm", separator = ";"): string {
  const rows = fields.map((field, i) => `2026-01-31 06:${10 + i}${separator}${field}\n`);
  return `time${separator}${name}\n${rows.join("")}`;
}

function isAscii(text: string): boolean {
  return text.length === Buffer.byteLength(text);
}

describe("numbers of a table", () => {
  it.each(["-999", "-9999", "-999.0", "-999,0", "-99999.00"])("that mean no value are counted: %s", async (fill) => {
    expect(await read(table(["2345", fill, "2346", fill]))).toMatchObject({
      values: [2_345, Number.NaN, 2_346, Number.NaN],
      notes: ["Numbers such as -999.9 mean that there is no value: 2."],
    });
  });

  it("with a code behind them in one field are texts, as ISD writes them", async () => {
    const rows = '2026-01-31 06:10,"+0121,1","10132,1",7\n';
    expect(await read(`time,TMP,SLP,n\n${rows}`)).toMatchObject({
      values: [7],
      notes: ["Columns of texts are not shown: “TMP”, “SLP”."],
    });
  });

  it("that may mean no value in a column of an unknown quantity are shown and counted", async () => {
    expect(await read(table(["1.2", "-99", "1.4", "99.99"], "gn"))).toMatchObject({
      values: [1.2, -99, 1.4, 99.99],
      notes: ["Numbers such as -99 in “gn” may mean that there is no value, and are shown: 2."],
    });
    expect(await read(table(["99.9", "12.1", "12.3"], "pwv_mm"))).toMatchObject({ values: [99.9, 12.1, 12.3] });
    expect(await read(table(["99.9", "12.1", "12.3"], "pwv_mm"))).toMatchObject({
      notes: ["Numbers such as 99.9 in “pwv” may mean that there is no value, and are shown: 1."],
    });
    expect(await read(table(["-12", "-9", "4"], "gn"))).toMatchObject({ notes: [] });
  });

  it.each([
    [
      "a point and three digits beside decimal commas",
      ["2345,5", "2.370", "2010,5"],
      [2_345.5, Number.NaN, 2_010.5],
      1,
    ],
    [
      "a comma and three digits beside decimal points",
      ["2345.5", "2,370", "2010.5"],
      [2_345.5, Number.NaN, 2_010.5],
      1,
    ],
    ["points between thousands", ["2.345,5", "2370,5", "1.002,25"], [2_345.5, 2_370.5, 1_002.25], 0],
    ["decimal points and decimal commas", ["2345,5", "2346.5", "2347.370"], [2_345.5, 2_346.5, 2_347.37], 0],
    ["apostrophes between thousands", ["2'345.5", "2’370.5"], [2_345.5, 2_370.5], 0],
    ["three decimals everywhere", ["2,345", "2,346"], [2_345, 2_346], 0],
  ])("with %s are read, or missing and counted if they are ambiguous", async (_, fields, values, ambiguous) => {
    const note = expect.stringMatching(/^Numbers such as 2[.,]370 .* because they may be thousands: 1\.$/);
    expect(await read(table(fields, fields[0] === "2,345" ? "ztd_m" : "ztd_mm"))).toMatchObject({
      values,
      notes: ambiguous === 0 ? [] : [note],
    });
  });
});

describe("texts of a table", () => {
  const names = fc.string({
    unit: fc.constantFrom("a", "bo", "aÄ", "bö", "tü", "né", "añ", "eß", "lø", "kÅ"),
    minLength: 1,
    maxLength: 8,
  });

  it.each([
    ["a table of others", (name: string) => `time,station,ztd_mm\n2026-01-31,${name},2345\n`],
    ["a table of this program", (name: string) => `station_id,time,ztd_mm\n${name},2026-01-31T00:00:00Z,2345\n`],
  ])("are the same in UTF-8 and in Latin-1, which a note names: %s", async (_, textOf) => {
    await fc.assert(
      fc.asyncProperty(names, async (name) => {
        const text = textOf(name);
        expect(await read(text)).toEqual({ label: name, values: [2_345], notes: [] });
        expect(await read(`\ufeff${text}`)).toMatchObject({ label: name, notes: [] });
        const note = "Texts that are not UTF-8 are read as Windows-1252 (Latin-1).";
        expect(await read(Buffer.from(text, "latin1"))).toEqual({
          label: name,
          values: [2_345],
          notes: isAscii(name) ? [] : [note],
        });
      }),
    );
  });

  it("in Latin-1 are the names of columns, too", async () => {
    const text = Buffer.from("time;Höhe (°)\n2026-01-31;5\n", "latin1");
    expect(await read(text)).toMatchObject({ label: "table", values: [5] });
  });
});
