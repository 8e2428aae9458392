import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SeriesFile } from "#formats/open/index.ts";
import { openSeriesFile } from "../../support/openSeriesFile.ts";
import { scratchFolder } from "../tools.ts";
import { readOrRefused, openedSeries, plainRows, seriesBy } from "./support.ts";

// Files in the style of the E-GVAP centres, with expected values written by hand.

const folder = scratchFolder();
const DASHES = "-".repeat(100);

/** A block of the Norwegian centre across midnight with slant delays, and one of Ginan with other numbers of digits. */
const AASC = `COST-716 V2.2a           E-GVAP                   OPER
AASC 10307M001           Aas [NO]
TRIMBLE NETR9            TRM57971.00 TZGD
   59.660300   10.781700     133.610      94.578       0.000
31-JAN-2021 23:30:00     01-FEB-2021 05:41:27
NGA1                     BERNESE V5.2             CODULT                   NONE
   15   60  360
00000075
   4
 23 30  0 FFFFFFFF 2287.9    2.1   -9.9   -9.9   -9.9   -9.9   -9.9 999.99 999.99  -9.99  -9.99 -99.999
   0
 23 45  0 0000004A 2289.3    2.2   -9.9   12.4   -9.9   -9.9   -9.9  -0.12   0.34  -9.99  -9.99 -99.999
   2
G01  2300.1    2.0  120.0   45.0
R24  5300.1    3.0   10.0   15.0
  0  0  0 FFFFFFFF   -9.9   -9.9   -9.9   -9.9   -9.9   -9.9   -9.9 999.99 999.99  -9.99  -9.99 -99.999
   0
  0 15  0 FFFFFFFF 2288.9    2.5   -9.9    9.9   -9.9   -9.9   -9.9 999.99 999.99  -9.99  -9.99 -99.999
   0
${DASHES}
`;
const ALIC = `COST-716 V2.2            GA-NRT                   TEST
ALIC 50137M001           Alice Springs (Australia)
LEICA GR25               LEIAR25.R3 NONE
  -23.670100  133.885500     603.300    -999.000       0.000
01-FEB-2021 00:00:00     01-FEB-2021 00:00:00
GA__ Geoscience Aus      GINAN V2                 IGSPRE                   NONE
   15   15   15
00000041
   1
 00 00 00 0000000a 2210.5    1.5  150.2   -9.9 1013.2  301.5   45.0   0.10  -0.20   0.05   0.06 -99.999
   0
${DASHES}
`;

async function opened(text: string): Promise<SeriesFile> {
  const path = join(folder, "a.dat");
  writeFileSync(path, text, "latin1");
  return openedSeries(path);
}

async function errorMessage(text: string): Promise<string> {
  const path = join(folder, "refused.dat");
  writeFileSync(path, text);
  const result = await openSeriesFile(path);
  return result.ok ? "opened" : result.error.message;
}

describe("COST-716", () => {
  it("reads the rows and quantities of each station across midnight", async () => {
    const file = await opened(AASC);
    const start = Date.UTC(2021, 0, 31, 23, 30);
    const ztd = seriesBy(file, "AASC", "ZTD");
    expect(plainRows(file, ztd, start)).toEqual([
      [0, 2_287.9],
      [900, 2_289.3],
      [1_800, null],
      [2_700, 2_288.9],
    ]);
    expect(ztd).toMatchObject({ stationId: "AASC", domes: "10307M001", quantity: { unit: "mm", variable: "ztd" } });
    expect(ztd.position).toEqual({
      latitudeDeg: 59.6603,
      longitudeDeg: 10.7817,
      heights: [
        { metres: 133.61, above: "ellipsoid" },
        { metres: 94.578, above: "geoid" },
      ],
    });
    const water = seriesBy(file, "AASC", "IWV");
    expect(water.quantity).toMatchObject({ unit: "mm", variable: "pwv" });
    expect(plainRows(file, water, start).map(([, value]) => value)).toEqual([null, 12.4, null, 9.9]);
    expect(plainRows(file, seriesBy(file, "AASC", "gradient_east"), start).map(([, value]) => value)).toEqual([
      null,
      0.34,
      null,
      null,
    ]);
    // A quantity without any value is not a series.
    expect(file.series.map(({ quantity }) => quantity.name)).toEqual([
      "ZTD",
      "ZTD_sigma",
      "IWV",
      "gradient_north",
      "gradient_east",
    ]);
    expect(file).toMatchObject({ format: "cost", title: "E-GVAP, OPER", source: "NGA1, BERNESE V5.2, CODULT" });
    expect(file.notes).toEqual([
      "Rows that the file itself marks as poor are shown: 1.",
      "Slant delays are left out: 2.",
    ]);
    file.close();
  });

  it("reads several stations, and a station of several centres", async () => {
    const file = await opened(`${DASHES}\n${ALIC}${AASC}${AASC.replace("NGA1", "NGA2")}`);
    expect([...new Set(file.series.map(({ label }) => label))]).toEqual([
      "ALIC GA__ Geoscience Aus",
      "AASC NGA1",
      "AASC NGA2",
    ]);
    const alice = seriesBy(file, "ALIC GA__ Geoscience Aus", "pressure");
    expect(plainRows(file, alice, Date.UTC(2021, 1, 1))).toEqual([[0, 1_013.2]]);
    expect(alice.quantity.variable).toBeNull();
    file.close();
  });

  it("reads values without a space between them", async () => {
    const file = await opened(ALIC.replace("0.10  -0.20", "0.10-120.25"));
    expect(plainRows(file, seriesBy(file, "ALIC", "gradient_east"), Date.UTC(2021, 1, 1))).toEqual([[0, -120.25]]);
    file.close();
  });

  it("reports missing and unreadable parts", async () => {
    const broken = AASC.replace("31-JAN-2021 23", "31-FOO-2021 23");
    const file = await opened(
      `${ALIC.replace("   1\n", "   3\n").replace("2210.5", "2x10.5")}${broken}what is this\n${AASC.slice(0, 150)}`,
    );
    expect(file.notes).toEqual([
      "Blocks have fewer rows than they announce; the file may be incomplete: 2.",
      "Blocks without a station or a time that can be read are left out: 1.",
      "Columns of texts are not shown: “ZTD”.",
      expect.stringMatching(/^The last line has no line end/),
    ]);
    file.close();
    expect(await errorMessage(AASC.slice(0, 300))).toMatch(/no rows that could be shown/);
    expect(await errorMessage(`COST-716 ${"x".repeat(3_000_000)}`)).toMatch(/line of this file does not end/);
  });

  it("reads a file with lost, changed or repeated lines, or rejects it with a message", async () => {
    await expect(
      fc.assert(readOrRefused(join(folder, "hostile.dat"), [AASC + ALIC]), { numRuns: 60 }),
    ).resolves.toBeUndefined();
  });
});
