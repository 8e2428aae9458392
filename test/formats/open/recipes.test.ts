import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openSeriesFile } from "#formats/open/index.ts";
import { scratchFolder } from "../tools.ts";

// Files written after what is known of the formats, not by the programs themselves; times in GPS time are 18 s before UTC.

const folder = scratchFolder();

async function read(text: string, name: string): Promise<object | string> {
  const path = join(folder, name);
  writeFileSync(path, text);
  const opened = await openSeriesFile(path);
  if (!opened.ok) return `${opened.error.kind}: ${opened.error.message}`;
  const file = opened.value;
  const found = file.series.map(({ label, quantity: q }, i) => {
    const { timesMs, values } = file.rows(i);
    const time = new Date(timesMs[0]!).toISOString().slice(0, 19);
    return `${label} ${q.variable ?? q.name} ${q.unit} ${time} ${Math.round(values[0]! * 1e3) / 1e3}`;
  });
  file.close();
  return { found, notes: file.notes.join("\n") };
}

const label = (text: string, name: string): string => `${text.padEnd(60)}${name}\n`;

it.each([
  [
    "RTKLIB solution status",
    "$POS,2438,345900.000,6,1,2,3,0,0,0\n$TROP,2438,345900.000,6,1,2.4044,0.0000\n$TROP,2438,345930.000,6,1,2.4051,0.0000\n",
    ["1 ztd mm 2026-10-01T00:04:42 2404.4"],
  ],
  [
    "RINEX meteorological data",
    label(`${"     3.05".padEnd(20)}METEOROLOGICAL DATA`, "RINEX VERSION / TYPE") +
      label("KALL", "MARKER NAME") +
      label("     3    PR    TD    HR", "# / TYPES OF OBSERV") +
      label("", "END OF HEADER") +
      " 2026 10 01 00 05 18  987.1   10.6   89.5\n 2026 10 01 00 10 18 -999.9   10.9   90.0\n",
    [
      "KALL pressure hPa 2026-10-01T00:05:00 987.1",
      "KALL temperature degC 2026-10-01T00:05:00 10.6",
      "KALL humidity % 2026-10-01T00:05:00 89.5",
    ],
  ],
  [
    "site-wise VMF of TU Wien",
    "# VMF3\nKIR0      61314.00  0.00119893  0.00044512  2.1712  0.0883   952.10    3.40    5.12\nKIR0      61314.25  0.00119801  0.00044490  2.1713  0.0871   952.15    3.10    5.02\n",
    [
      "KIR0 zhd m 2026-10-01T00:00:00 2.171",
      "KIR0 zwd m 2026-10-01T00:00:00 0.088",
      "KIR0 pressure hPa 2026-10-01T00:00:00 952.1",
    ],
  ],
  [
    "GAMIT metutil",
    "* Estimated atmospheric values for ALGO . Height estimate:     200.94 +-   0.0063 m.\n* Input files:   uscala.274  zalgoa.274\n* Yr  Doy Hr Mn Sec  Total Zen  Wet Zen  Sig Zen       PW  Sig PW (mm)    Press (hPa)  Temp (K)  ZHD (mm)\n2026  274  0  5  18.   2404.4    150.1      3.2    24.10    0.51    1001.20   285.10   2254.30\n",
    [
      "ALGO ztd mm 2026-10-01T00:05:00 2404.4",
      "ALGO ztd_sigma mm 2026-10-01T00:05:00 3.2",
      "ALGO pwv mm 2026-10-01T00:05:00 24.1",
    ],
  ],
  [
    "CSRS-PPP positions",
    "HDR GRP CANADIAN GEODETIC SURVEY, SURVEYOR GENERAL BRANCH\nHDR ADR NATURAL RESOURCES CANADA\nHDR TEL 343-292-6617\nDIR FRAME   STN   DAYofYEAR YEAR-MM-DD HR:MN:SS.SS NSV GDOP  DHGT(m)   TZD(m)  SDTZD(m)\nBWD ITRF20 ALGO 274.003681 2026-10-01 00:05:18.00 12 1.8 0.012 2.4044 0.0021\nBWD ITRF20 ALGO 274.004028 2026-10-01 00:05:48.00 12 1.8 0.012 2.4045 0.0021\n",
    ["ALGO ztd mm 2026-10-01T00:05:00 2404.4", "ALGO ztd_sigma mm 2026-10-01T00:05:00 2.1"],
  ],
  [
    "TOA5 of Campbell Scientific",
    '"TOA5","Kallio","CR1000","1234","CR1000.Std.32","CPU:met.CR1","1234","Met"\n"TIMESTAMP","RECORD","BP_mbar_Avg","PWV"\n"TS","RN","mbar","cm"\n"","","Avg","Smp"\n"2026-10-01 00:05:00",1,987.1,1.23\n"2026-10-01 00:10:00",2,987.2,1.25\n',
    ["toa5 pwv mm 2026-10-01T00:05:00 12.3"],
  ],
  [
    "NGL tenv3",
    "site YYMMMDD yyyy.yyyy __MJD week d reflon _e0(m) __east(m)\nKALL 26OCT01 2026.7488 61314 2438 4 24.9 1000 0.123\nKALL 26OCT02 2026.7515 61315 2438 5 24.9 1000 0.124\n",
    ["KALL __east m 2026-10-01T00:00:00 0.123"],
  ],
  [
    "GeoCSV",
    "# dataset: GeoCSV 2.0\n# delimiter: ,\n# field_unit: UTC, cm\n# field_type: datetime, float\nTime,pwv\n2026-10-01T00:05:00Z,1.23\n2026-10-01T00:10:00Z,1.25\n",
    ["geocsv pwv mm 2026-10-01T00:05:00 12.3"],
  ],
  [
    "ERDDAP csv",
    "station,time,latitude,pwv\n,UTC,degrees_north,cm\nKALL,2026-10-01T00:05:00Z,60.2,1.23\nKALL,2026-10-01T00:10:00Z,60.2,1.25\n",
    ["KALL pwv mm 2026-10-01T00:05:00 12.3"],
  ],
  [
    "NCSS csv",
    'time,station,latitude[unit="degrees_north"],longitude[unit="degrees_east"],PWV[unit="m"]\n2026-10-01T00:05:00Z,KALL,60.2,25.0,0.0123\n',
    ["KALL pwv mm 2026-10-01T00:05:00 12.3"],
  ],
])("%s is read by its description", async (name, text, expected) => {
  const word = name.split(" ")[0]!;
  expect(await read(text, `${word.toLowerCase()}.txt`)).toMatchObject({ found: expect.arrayContaining(expected) });
});

it.each([
  [
    "RINEX observations",
    label(`${"     3.05".padEnd(20)}OBSERVATION DATA`, "RINEX VERSION / TYPE"),
    /RINEX file of observations/,
  ],
  ["IGRA soundings", "#USM00070261 2026 10 01 00 2315   95 ncdc6310 ncdc6310  648161 -1478767\n", /IGRA soundings/],
  ["GRIB", "GRIB\u0000\u0000\u0000\u0002", /GRIB file .*“cdo -f nc copy”/],
])("%s are named, with the way to go", async (_, text, message) => {
  expect(await read(text, "refused.txt")).toMatch(message);
});
