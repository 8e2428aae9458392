import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { OpenOptions, SeriesFile } from "#formats/open/index.ts";
import { openSeriesFile } from "../../support/openSeriesFile.ts";
import { writeSinexTro } from "#formats/sinex/index.ts";
import { nineCharacterCodes } from "#formats/siteCode.ts";
import { regularRows, sourceOf, station } from "../sources.ts";
import { mustSucceed, scratchFolder } from "../tools.ts";
import { readOrRefused, openedSeries, plainRows, seriesBy } from "./support.ts";

// Files by their specifications and by other programs, with expected values written by hand.

const folder = scratchFolder();

async function opened(text: string, options?: OpenOptions): Promise<SeriesFile> {
  const path = join(folder, "a.tro");
  writeFileSync(path, text, "latin1");
  return openedSeries(path, options);
}

/** What a series of a text is, and its rows: seconds since `fromMs` and values. */
async function rowsIn(text: string, name: string, { fromMs = 0, ...options }: OpenOptions & { fromMs?: number } = {}) {
  const file = await opened(text, options);
  const { quantity } = seriesBy(file, "WTZR00DEU", name);
  const rows = plainRows(file, seriesBy(file, "WTZR00DEU", name), fromMs);
  file.close();
  return { quantity, rows, values: rows.map(([, value]) => value), notes: file.notes };
}

async function errorMessage(text: string): Promise<string | null> {
  const path = join(folder, "refused.tro");
  writeFileSync(path, text, "latin1");
  const result = await openSeriesFile(path);
  if (!result.ok) return result.error.message;
  result.value.close();
  return null;
}

/** 2.00 of a network: metres times 1000, gradients, counts of a combination, GPS time, nine-character codes. */
const NETWORK = `%=TRO 2.00 ASI 2015:352:42300 EUR 2015:298:01800 2015:304:84600 P MIX
*-------------------------------------------------------------------------------
+FILE/REFERENCE
*INFO_TYPE_________ INFO________________________________________________________
 DESCRIPTION        Weekly combination
 OUTPUT             Combined tropospheric products
-FILE/REFERENCE
+TROP/DESCRIPTION
*_________KEYWORD_____________ __VALUE(S)_______________________________________
 TROPO SAMPLING INTERVAL       3600
 TIME SYSTEM                   G
 TROPO PARAMETER NAMES         TROTOT STDDEV TGNTOT STDDEV #ACTAK
 TROPO PARAMETER UNITS          1e+03 1.0e+3  1e+03  1e+03      1
 TROPO PARAMETER WIDTH              8      8      8      8      2
-TROP/DESCRIPTION
+SITE/ID
*STATION__ PT __DOMES__ T _STATION_DESCRIPTION__ _LONGITUDE _LATITUDE_ _HGT_ELI_ _HGT_MSL_
 WTZR00DEU  A 14201M010 P Bad Koetzting, GER      12.878911  49.144199   666.026   619.300
 MADR00ESP  A 13407S012 P Robledo                355.750300  40.429200  -999.000   777.500
-SITE/ID
+TROP/SOLUTION
*STATION__ ____EPOCH_____ __TROTOT __STDDEV __TGNTOT __STDDEV #A
 WTZR00DEU 2015:298:01800   2263.4      0.9   -0.412    0.051  7
 WTZR00DEU 2015:298:05400 -999.000 -999.000   -0.400    0.050  6
 MADR00ESP 2015:298:86400   2190.0   ******    0.100    0.040  7
-TROP/SOLUTION
%=ENDTRO
`;

/** 0.01 of the IGS: two-digit years, SOLUTION_FIELDS_1, only coordinates, no units or time system. */
const IGS = `%=TRO 0.01 IGS 98:022:15608 IGS 97:365:75600 98:002:03600 P  WTZR
+TROP/DESCRIPTION
 SAMPLING INTERVAL                                 30
 SOLUTION_FIELDS_1             TROTOT STDDEV TGETOT STDDEV
-TROP/DESCRIPTION
+TROP/STA_COORDINATES
*SITE PT SOLN T __STA_X_____ __STA_Y_____ __STA_Z_____ SYSTEM REMRK
 WTZR  A    1 P  4075580.312   931853.890  4801568.246 ITRF97 IGS
-TROP/STA_COORDINATES
+TROP/SOLUTION
*SITE ____EPOCH___ TROTOT STDDEV  TGETOT STDDEV
 WTZR 97:365:85500 2270.5    2.8   0.788  0.464
 WTZR 98:001:00000 2271.5    2.7   0.700  0.460
-TROP/SOLUTION
%=ENDTRO
`;

/** 1.00 with only the column headings, water vapour, and another order. */
const HEADS = `%=TRO 1.00 NGL 20:022:15608 NGL 20:001:00000 20:001:86100 P  P123
+TROP/SOLUTION
*SITE ____EPOCH___ WVAPOR STDDEV TROTOT _SIG_ MTEMP
 P123 20:001:00300   12.5    0.4 2100.2   1.5 271.3
-TROP/SOLUTION
%=ENDTRO
`;

/** The epochs of one site are in the middle of hours, those of another not all. */
const HOURLY = "Values of 5 series are means over 1 h; their time is the middle of the interval.";

describe("SINEX_TRO of other programs", () => {
  it("2.00 is read with parameters by name, units, GPS time, sites and missing values", async () => {
    const file = await opened(NETWORK);
    const base = Date.UTC(2015, 9, 25, 0, 30) - 17_000;
    const ztd = seriesBy(file, "WTZR00DEU", "TROTOT");
    expect(plainRows(file, ztd, base)).toEqual([
      [0, 2263.4],
      [3600, null],
    ]);
    expect(ztd.quantity).toMatchObject({ unit: "mm", variable: "ztd", conversion: null });
    expect(seriesBy(file, "WTZR00DEU", "TROTOT_STDDEV").quantity.variable).toBe("ztd_sigma");
    expect(plainRows(file, seriesBy(file, "WTZR00DEU", "TGNTOT_STDDEV"), base)[1]).toEqual([3600, 0.05]);
    expect(plainRows(file, seriesBy(file, "WTZR00DEU", "#ACTAK"), base)[0]).toEqual([0, 7]);
    // Second 86400 is the next midnight; a value that did not fit into its column is missing.
    expect(plainRows(file, seriesBy(file, "MADR00ESP", "TROTOT_STDDEV"), base)).toEqual([[84_600, null]]);
    expect(ztd.position).toEqual({
      latitudeDeg: 49.144199,
      longitudeDeg: 12.878911,
      heights: [
        { metres: 666.026, above: "ellipsoid" },
        { metres: 619.3, above: "geoid" },
      ],
    });
    expect(ztd.domes).toBe("14201M010");
    const madrid = seriesBy(file, "MADR00ESP", "TROTOT").position;
    expect(madrid).toMatchObject({ heights: [{ metres: 777.5, above: "geoid" }] });
    expect(madrid?.longitudeDeg).toBeCloseTo(-4.2497, 9);
    expect([file.format, file.title, file.notes]).toEqual([
      "sinex",
      "Weekly combination",
      ["Times are converted from GPS time.", HOURLY],
    ]);
    file.close();
  });

  it.each([
    ["G", "GPS time", 17],
    ["GAL", "Galileo time", 17],
    ["J", "QZSS time", 17],
    ["TAI", "TAI", 36],
    ["C", "BeiDou time", 3],
  ])("epochs in the time system %s are converted to UTC", async (system, name, aheadSeconds) => {
    const fromMs = Date.UTC(2015, 9, 25, 0, 30) - aheadSeconds * 1_000;
    const found = await rowsIn(NETWORK.replace(/(TIME SYSTEM +)G\b/, `$1${system}`), "TROTOT", { fromMs });
    expect(found.rows[0]).toEqual([0, 2263.4]);
    expect(found.notes).toEqual([`Times are converted from ${name}.`, HOURLY]);
  });

  it.each(["GLO", "R", "LOCAL", "XYZ"])("the time system %s is not taken as UTC", async (system) => {
    const text = NETWORK.replace(/(TIME SYSTEM +)G\b/, `$1${system}`);
    expect(await errorMessage(text)).toMatch(`“epoch” are in the zone “${system}”`);
    const columns = { columns: [{ column: "epoch", role: "time", unit: "UTC+3" } as const], noValue: null };
    const { rows } = await rowsIn(text, "TROTOT", { columns, fromMs: Date.UTC(2015, 9, 24, 21, 30) });
    expect(rows[0]).toEqual([0, 2263.4]);
  });

  it.each([
    ["metres", "    1      1", "2.2634   0.0009", "in m in the file, shown in mm (× 1,000)"],
    ["centimetres", "1e+02  1e+02", "226.34     0.09", "in cm in the file, shown in mm (× 10)"],
  ])("2.00 in %s is converted to millimetres, with a note", async (_, units, values, conversion) => {
    const text = NETWORK.replace("1e+03 1.0e+3", units).replace("2263.4      0.9", values);
    const ztd = await rowsIn(text, "TROTOT");
    expect([ztd.values[0], ztd.quantity.conversion]).toEqual([2263.4, conversion]);
    expect((await rowsIn(text, "TROTOT_STDDEV")).values[0]).toBe(0.9);
  });

  it("without units, or with a wrong number of them, is read in the unit that all values of ZTD fit, whatever the first row has", async () => {
    for (const [values, madrid, unit] of [
      ["2.2634   0.0009", "2.1900", "m"],
      ["2263.4      0.9", "2190.0", "mm"],
      ["226.34     0.09", "219.00", "cm"],
    ] as const)
      for (const [withUnits, reason] of [
        [NETWORK.replace("1e+03 1.0e+3", "1e+03"), "The file does not tell its units, or not those of all"],
        [NETWORK.replace(/^ TROPO PARAMETER UNITS.*\n/m, ""), "The file does not tell its units"],
      ] as const) {
        const none = " WTZR00DEU 2015:297:01800 -999.000 -999.000 -999.000 -999.000  0\n WTZR00DEU 2015:298:01800";
        const file = await opened(
          withUnits
            .replace("2263.4      0.9", values)
            .replace("2190.0", madrid)
            .replace(" WTZR00DEU 2015:298:01800", none),
        );
        expect(file.notes[0]).toMatch(`TROTOT is ZTD in ${unit} by its 2 values`);
        expect(file.notes).toContainEqual(expect.stringMatching(`^${reason}`));
        expect(plainRows(file, seriesBy(file, "WTZR00DEU", "TROTOT"), 0)[1]![1]).toBe(2263.4);
        expect(plainRows(file, seriesBy(file, "MADR00ESP", "TROTOT"), 0)[0]![1]).toBe(2190);
        // The unit of a gradient may be another one.
        expect(seriesBy(file, "WTZR00DEU", "TGNTOT").quantity.unit).toBeNull();
        file.close();
      }
    const mixed = NETWORK.replace(/^ TROPO PARAMETER UNITS.*\n/m, "").replace("2263.4", "2.2634");
    await expect(opened(mixed)).rejects.toThrow("may be mm or m.");
  });

  it("2.00 has an uncertainty in another unit than its delay", async () => {
    const inMetres = NETWORK.replace("2263.4", "2.2634").replace("2190.0", "2.1900");
    const text = inMetres.replace("1e+03 1.0e+3", "1     1e+03");
    expect((await rowsIn(text, "TROTOT")).values[0]).toBe(2263.4);
    expect((await rowsIn(text, "TROTOT_STDDEV")).values[0]).toBe(0.9);
  });

  it("2.00 with water vapour that its stated factor makes implausible is asked about", async () => {
    const iwv = NETWORK.replace("TROTOT STDDEV TGNTOT", "TROTOT STDDEV IWV   ").replaceAll(/-0.4[01][02]/g, " 12.31");
    const wrong = iwv.replace("1.0e+3  1e+03", "1.0e+3  1e+03").replace("   0.100 ", "  11.900 ");
    await expect(opened(wrong)).rejects.toThrow(/IWV.*0.001 kg m-2 by its TROPO PARAMETER UNITS/);
    const { quantity } = await rowsIn(wrong.replace("1.0e+3  1e+03", "1.0e+3      1"), "IWV");
    expect(quantity).toMatchObject({ variable: "pwv", unit: "mm" });
  });

  it("2.00 with a delay that its stated factor makes implausible is asked about", async () => {
    await expect(opened(NETWORK.replace("1e+03 1.0e+3", "1e-03 1.0e+3"))).rejects.toThrow(
      /TROTOT.*“1000 m” by its TROPO/,
    );
    await expect(opened(NETWORK.replace("1e+03 1.0e+3", "1e+06 1.0e+3"))).rejects.toThrow(
      /TROTOT.*0.000001 m by its TROPO/,
    );
  });

  it("2.00 in multiples of what has no unit is shown as it is, with the part as its unit", async () => {
    const ratio = await rowsIn(NETWORK.replace("1e+03      1", "1e+03    100"), "#ACTAK");
    expect(ratio.values).toEqual([7, 6]);
    expect(ratio.quantity).toMatchObject({ unit: "0.01", conversion: null });
  });

  it("with numbers in the syntax of a programming language is read with missing values", async () => {
    const { notes } = await rowsIn(NETWORK.replace("2263.4      0.9", "  0x10 Infinity"), "TROTOT");
    expect(notes).toContain("Fields that are not numbers are shown as missing: 1.");
    expect(notes).toContain("Columns of texts are not shown: “TROTOT_STDDEV”.");
  });

  it("with a wrong number of columns is rejected with a message", async () => {
    await expect(opened(NETWORK.replace("TROTOT STDDEV", "TROTOT STDDEV TGNTOT"))).rejects.toThrow("as many columns");
  });

  it("0.01 is read with two-digit years, fields of the description and Cartesian coordinates", async () => {
    const file = await opened(IGS);
    const ztd = seriesBy(file, "WTZR", "TROTOT");
    expect(plainRows(file, ztd, Date.UTC(1998, 0, 1))).toEqual([
      [-900, 2270.5],
      [0, 2271.5],
    ]);
    expect(ztd.quantity).toMatchObject({ unit: "mm", variable: "ztd" });
    expect(ztd.position?.latitudeDeg).toBeCloseTo(49.1442, 4);
    expect(ztd.position?.longitudeDeg).toBeCloseTo(12.8789, 4);
    expect(ztd.position?.heights[0]?.metres).toBeCloseTo(666.0, 0);
    expect(file.notes.join(" ")).toMatch(/time system.*units/s);
    file.close();
  });

  it("1.00 is read by its column headings if nothing else names the columns", async () => {
    const file = await opened(HEADS);
    expect(file.series.map((s) => [s.quantity.name, s.quantity.unit, s.quantity.variable])).toEqual([
      ["WVAPOR", "mm", "pwv"],
      ["IWV_STDDEV", "kg m-2", null],
      ["TROTOT", "mm", "ztd"],
      ["TROTOT_STDDEV", "mm", "ztd_sigma"],
      ["MTEMP", "K", null],
    ]);
    expect(plainRows(file, file.series[0]!, Date.UTC(2020, 0, 1))).toEqual([[300, 12.5]]);
    file.close();
  });

  it("is read with the description and the sites after the rows, and with a byte order mark", async () => {
    const [before, rows] = NETWORK.split("+TROP/SOLUTION");
    const [first, description] = before!.split("+TROP/DESCRIPTION");
    const [solution, end] = rows!.split("%=ENDTRO");
    const turned = `\u00ef\u00bb\u00bf${first}+TROP/SOLUTION${solution}+TROP/DESCRIPTION${description}%=ENDTRO${end}`;
    expect(turned.indexOf("+TROP/SOLUTION")).toBeLessThan(turned.indexOf("+TROP/DESCRIPTION"));
    // The description of another file within this one does not apply to these rows.
    const other = NETWORK.replace("TROTOT STDDEV TGNTOT STDDEV #ACTAK", "A B C D E");
    for (const [text, notes] of [
      [turned, 2],
      [turned + other, 3],
    ] as const) {
      const [plain, file] = [await opened(NETWORK), await opened(text)];
      expect(file.series).toEqual(plain.series);
      expect(file.series.map((_, i) => file.rows(i))).toEqual(plain.series.map((_, i) => plain.rows(i)));
      expect(file.notes).toHaveLength(notes);
      plain.close();
      file.close();
    }
  });

  it("is read with notes on omitted parts", async () => {
    const more =
      " WTZR00DEU 2015:366:01800 1 1 1 1 1\n WTZR00DEU 2015:298:09000 1 2\n WTZR00DEU 2015:298:09000 x 1 1 1 1\n";
    const file = await opened(`${NETWORK.replace("-TROP/SOLUTION\n%=ENDTRO\n", more)}${IGS}`);
    expect(file.notes.slice(1)).toEqual([
      "Another file begins within this one: only the first is shown. Split them, and open each.",
      "Rows with another number of columns than the file names are left out: 1.",
      "Lines without a time that can be read are left out: 1.",
      "Fields that are not numbers are shown as missing: 1.",
      HOURLY,
    ]);
    file.close();
    const cut = await opened(NETWORK.slice(0, NETWORK.indexOf("-TROP/SOLUTION")));
    expect(cut.notes).toContain("The file has no last line %=ENDTRO: its end may be missing.");
    cut.close();
  });

  it("without readable rows is rejected with a message", async () => {
    expect(await errorMessage("%=TRO 2.00 ASI\n%=ENDTRO\n")).toMatch(/no rows that could be shown/);
    expect(await errorMessage(HEADS.replace(/\*SITE.*\n/, ""))).toMatch(/does not name the columns/);
    expect(await errorMessage(`%=TRO ${"x".repeat(3_000_000)}`)).toMatch(/line of this file does not end/);
  });

  it("with lost, changed or repeated lines is read or rejected with a message", async () => {
    await expect(
      fc.assert(readOrRefused(join(folder, "hostile.tro"), [NETWORK, IGS, HEADS]), { numRuns: 60 }),
    ).resolves.toBeUndefined();
  });
});

it("an exported SINEX_TRO file opens with station ids and positions", async () => {
  const path = join(folder, "ours.tro");
  const plain = {
    stations: [station(0), station(1)],
    variables: ["ztd", "ztd_sigma"] as const,
    rows: [regularRows(20, 0), regularRows(9, 1)],
  };
  mustSucceed(await writeSinexTro(path, sourceOf(plain)));
  const codes = nineCharacterCodes(plain.stations);
  const file = await openedSeries(path);
  expect(file.notes).toEqual([]);
  for (const [i, own] of plain.stations.entries()) {
    const ztd = seriesBy(file, codes[i]!, "TROTOT");
    expect(ztd.stationId).toBe(own.id);
    const rounded = plain.rows[i]!.map(({ timeMs, values }) => [
      timeMs / 1_000,
      typeof values.ztd === "number" ? Number(values.ztd.toFixed(3)) : null,
    ]);
    expect(plainRows(file, ztd, 0)).toEqual(rounded);
    expect(ztd.position?.latitudeDeg).toBeCloseTo(own.latitudeDeg ?? Number.NaN, 6);
  }
  file.close();
});

it.each([
  ["in its columns", 6, 12.878911],
  ["a column to the left", 5, 12.878911],
  ["a column to the right", 7, 12.878911],
  ["so far off that two numbers share a column", 8, null],
])("a position is that of its site, or unknown, whose line is %s", async (_, blanks, longitudeDeg) => {
  const file = await opened(NETWORK.replace(/(?<=GER) {6}(?=12\.878911)/, " ".repeat(blanks)));
  expect(file.series[0]?.position?.longitudeDeg ?? null).toBe(longitudeDeg);
  file.close();
});
