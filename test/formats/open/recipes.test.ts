import { join } from "node:path";
import { expect, it } from "vitest";
import type { ChosenColumn } from "#shared/file/columns.ts";
import { scratchFolder } from "../tools.ts";
import { shown } from "./support.ts";

// Files rebuilt from published descriptions, sources and results of the programs, which the readers name; times in GPS time
// are 18 s ahead of UTC.

const folder = scratchFolder();

const label = (text: string, name: string): string => `${text.padEnd(60)}${name}\n`;
const VMF = "0.00119893  0.00044512  2.1712  0.0883";

it.each([
  [
    "RTKLIB solution status",
    "$POS,2438,345900.000,6,1,2,3,0,0,0\n$TROP,2438,345900.000,6,1,2.4044,0.0021\n$TROP,2438,345930.000,6,1,2.4051,0.0020\n",
    ["rover ztd mm 2026-10-01T00:04:42 2404.4", "rover ztd_sigma mm 2026-10-01T00:04:42 2.1"],
  ],
  [
    "RTKLIB relative positioning, whose delay is the wet one",
    "$TROP,2438,345900.000,1,1,0.1544,0.1540\n$TROP,2438,345900.000,1,2,0.1644,0.1640\n",
    ["rover zwd m 2026-10-01T00:04:42 0.1544", "base zwd m 2026-10-01T00:04:42 0.1644"],
  ],
  [
    "RTKLIB positions in GPS time",
    "% program   : RTKLIB ver.2.4.3 b34\n%\n% (lat/lon/height=WGS84/ellipsoidal,Q=1:fix,2:float)\n%  GPST                  latitude(deg) longitude(deg)  height(m)   Q  ns\n2026/10/01 00:05:18.000   60.200000000   24.900000000    57.1309   1   6\n2026/10/01 00:05:48.000   60.200000000   24.900000000    57.1319   1   6\n",
    ["rtklib ns null 2026-10-01T00:05 6"],
  ],
  [
    "PRIDE PPP-AR ztd",
    label("abmf", "STATION") +
      label("Year", "YEAR (GPS TIME)") +
      label("", "END OF HEADER") +
      "* Year   Mon   Day  Hour   Min       Sec        ZDD     ZWDini     ZWDcor\n  2026    10     1     0     5 18.000000   2.311567   0.194287   0.037406\n",
    ["abmf ztd mm 2026-10-01T00:05 2543.26", "abmf zwd m 2026-10-01T00:05 0.231693"],
  ],
  [
    "RINEX meteorological data",
    label(`${"     3.05".padEnd(20)}METEOROLOGICAL DATA`, "RINEX VERSION / TYPE") +
      label("KALL", "MARKER NAME") +
      label("     3    PR    TD    HR", "# / TYPES OF OBSERV") +
      label("", "END OF HEADER") +
      " 2026 10 01 00 05 18  987.1   10.6   89.5\n 2026 10 01 00 10 18 -999.9   10.9   90.0\n",
    [
      "KALL pressure hPa 2026-10-01T00:05 987.1",
      "KALL temperature degC 2026-10-01T00:05 10.6",
      "KALL humidity % 2026-10-01T00:05 89.5",
    ],
  ],
  [
    "RINEX meteorological data with more types than fit a line",
    label(`${"     2.11".padEnd(20)}METEOROLOGICAL DATA`, "RINEX VERSION / TYPE") +
      label("KALL", "MARKER NAME") +
      label("     9    PR    TD    HR    ZW    ZD    ZT    WD    WS    RI", "# / TYPES OF OBSERV") +
      label("", "END OF HEADER") +
      " 26 10  1  0  5 18  987.1   10.6   89.5  150.1 2254.3 2404.4  180.0    3.1\n        0.4\n",
    ["KALL ztd mm 2026-10-01T00:05 2404.4", "KALL rain_increment 0.1 mm 2026-10-01T00:05 0.4"],
  ],
  [
    "site-wise VMF3 of TU Wien",
    `# VMF3\nKIR0      61314.00  ${VMF}   952.10    3.40    5.12\nKIR0      61314.25  ${VMF}   952.15    3.10    5.02\n`,
    ["KIR0 zhd m 2026-10-01T00:00 2.1712", "KIR0 pressure hPa 2026-10-01T00:00 952.1"],
  ],
  [
    "site-wise VMF1 of TU Wien, with the mean temperature before the pressure",
    `HAYSTACK  61314.00  ${VMF}  270.5  1013.02     3.49   7.26  145.6\n`,
    ["HAYSTACK tm K 2026-10-01T00:00 270.5", "HAYSTACK pressure hPa 2026-10-01T00:00 1013.02"],
  ],
  [
    "Copernicus CSV, whose time has a name of its own",
    "station_name,report_timestamp,longitude,latitude,height_of_station_above_sea_level,zenith_total_delay,total_column_water_vapour\nALBH00CAN,2020-01-01 00:00:00+00:00,-123.48,48.38,32.0,2.4044,12.3\nALBH00CAN,2020-01-01 01:00:00+00:00,-123.48,48.38,32.0,2.4054,12.4\n",
    ["ALBH00CAN ztd mm 2020-01-01T00:00 2404.4", "ALBH00CAN pwv mm 2020-01-01T00:00 12.3"],
  ],
  [
    "MeteoSwiss, whose dates begin with the day",
    "station_abbr;reference_timestamp;prestas0\nPAY;05.06.2026 00:00;957.1\nPAY;05.06.2026 00:10;957.2\n",
    ["PAY prestas0 null 2026-06-05T00:00 957.1"],
  ],
  [
    "RTKLIB positions with GPS weeks",
    "% program   : RTKLIB ver.2.4.3\n%  GPST          latitude(deg) longitude(deg)  height(m)   Q  ns\n2400 345600.000   60.100000000   25.100000000    88.1000   6  10\n2400 345630.000   60.100000000   25.100000000    88.1000   6  11\n",
    ["rtklib ns null 2026-01-07T23:59:42 10"],
  ],
  [
    "TOA5 of Campbell Scientific",
    '"TOA5","Kallio","CR1000","1234","CR1000.Std.32","CPU:met.CR1","1234","Met"\n"TIMESTAMP","RECORD","BP_mbar_Avg","PWV"\n"TS","RN","mbar","cm"\n"","","Avg","Smp"\n"2026-10-01 00:05:00",1,987.1,1.23\n"2026-10-01 00:10:00",2,987.2,1.25\n',
    ["Kallio pwv mm 2026-10-01T00:05 12.3"],
  ],
  [
    "TOA5 with extremes",
    '"TOA5","Station","CR1000","12345","CR1000.Std.25","CPU:x.CR1","54321","Daily"\n"TIMESTAMP","RECORD","AirT_Max","AirT_TMx","BaromPres_Max"\n"TS","RN","Deg C","Deg C","mmHg"\n"","","Max","TMx","Max"\n"2014-04-11 00:00:00",0,17,"2014-04-10 17:15:00",730\n"2014-04-12 00:00:00",1,19.8,"2014-04-11 16:00:00",730.5\n',
    ["Station BaromPres_Max mmHg 2014-04-11T00:00 730"],
  ],
  [
    "NGL tenv3",
    "site YYMMMDD yyyy.yyyy __MJD week d reflon _e0(m) __east(m)\nKALL 26OCT01 2026.7488 61314 2438 4 24.9 1000 0.123\nKALL 26OCT02 2026.7515 61315 2438 5 24.9 1000 0.124\n",
    ["KALL __east m 2026-10-01T00:00 0.123"],
  ],
  [
    "GeoCSV",
    "# dataset: GeoCSV 2.0\n# delimiter: ,\n# field_unit: UTC, cm\n# field_type: datetime, float\nTime,pwv\n2026-10-01T00:05:00Z,1.23\n2026-10-01T00:10:00Z,1.25\n",
    ["geocsv pwv mm 2026-10-01T00:05 12.3"],
  ],
  [
    "GeoCSV with missing values",
    "# dataset: GeoCSV 2.0\n# delimiter: |\n# field_unit: ISO 8601 datetime UTC| cm| mm\n# field_missing: | -77| -88\nTime|pwv|ztd\n2026-10-01T00:05:00Z|-77.0|2401.5\n2026-10-01T00:10:00Z|1.25|-88\n",
    ["geocsv pwv mm 2026-10-01T00:05 NaN", "geocsv ztd mm 2026-10-01T00:05 2401.5"],
  ],
  [
    "ERDDAP csv",
    "station,time,latitude,pwv\n,UTC,degrees_north,cm\nKALL,2026-10-01T00:05:00Z,60.2,1.23\nKALL,2026-10-01T00:10:00Z,60.2,1.25\n",
    ["KALL pwv mm 2026-10-01T00:05 12.3"],
  ],
  [
    "NCSS csv",
    'time,station,latitude[unit="degrees_north"],longitude[unit="degrees_east"],PWV[unit="m"]\n2026-10-01T00:05:00Z,KALL,60.2,25.0,0.0123\n',
    ["KALL pwv mm 2026-10-01T00:05 12.3"],
  ],
  [
    "NCSS csv of a grid",
    'time,station,latitude[unit="degrees_north"],longitude[unit="degrees_east"],Precipitable_water_entire_atmosphere[unit="kg.m-2"]\n2026-09-24T10:00:00Z,GridPointRequestedAt[42.435N_8.636W],42.434,-8.637,12.5\n',
    ["GridPointRequestedAt[42.435N_8.636W] pwv mm 2026-09-24T10:00 12.5"],
  ],
  [
    "Epochs with years of two digits",
    "* EPOCH SITE TROTOT\n26:274:00300 KALL 2401.5\n26:274:00600 KALL 2402.5\n",
    ["KALL ztd mm 2026-10-01T00:05 2401.5"],
  ],
  [
    "Dates under their pattern",
    "site yyyy-mmm-dd hh:mm:ss ztd_mm\nKALL 2026-OCT-01 00:05:00 2401.5\nKALL 2026-OCT-01 00:10:00 2402.5\n",
    ["KALL ztd mm 2026-10-01T00:05 2401.5"],
  ],
])("%s is read by its description", async (name, text, expected) => {
  const word = name.split(" ")[0]!;
  expect(await shown(join(folder, `${word.toLowerCase()}.txt`), text)).toMatchObject({
    first: expect.arrayContaining(expected),
  });
});

it.each<readonly [name: string, text: string, date: ChosenColumn, expected: readonly string[]]>([
  [
    "GAMIT metutil",
    "* Estimated atmospheric values for ALGO. Height estimate:   200.9400 +/- 0.0063 m.\n* METUTIL Version 3.0  2009-08-27\n* Yr  Doy Hr Mn Sec  Total Zen  Wet Zen  Sig Zen    PW   Sig PW (mm)  Press (hPa)  Temp (K) ZHD (mm)   Grad NS   Sig NS  Grad EW   Sig EW (mm)\n 2026 274  0  5 18.    2404.40    150.10    3.20   24.10    0.51        1001.20      285.10   2254.30     -0.52     0.30     0.11     0.33\n",
    { column: "year", role: "year", unit: "GPS" },
    [
      "ALGO ztd mm 2026-10-01T00:05 2404.4",
      "ALGO ztd_sigma mm 2026-10-01T00:05 3.2",
      "ALGO pwv mm 2026-10-01T00:05 24.1",
      "ALGO zhd mm 2026-10-01T00:05 2254.3",
    ],
  ],
  [
    "CSRS-PPP positions, whose uncertainties are no standard deviations",
    "HDR GRP CANADIAN GEODETIC SURVEY\nNOTE: Estimated positions are at the epoch of data\nDIR FRAME  STN   DAYofYEAR YEAR-MM-DD HR:MN:SS.SS NSV GDOP  TZD(m) SDTZD(95%) LATDD LATMN    LATSS LONDD LONMN    LONSS     HGT(m)\nBWD IGS14 ALGO  274.003681 2026-10-01 00:05:18.00  12  1.8  2.4044     0.0044   -45    57 20.80000   -78     4 16.90000  201.0000\n",
    { column: "date", role: "time", unit: "GPS" },
    ["ALGO ztd mm 2026-10-01T00:05 2404.4", "ALGO tzd_95_percent m 2026-10-01T00:05 0.0044"],
  ],
])("%s is asked for its time scale, which no description states", async (_, text, date, expected) => {
  const path = join(folder, "scale.txt");
  expect(await shown(path, text)).toMatch(/^undecided: .* may be GPS time or UTC, which .* does not state/);
  expect(await shown(path, text, { columns: { columns: [date], noValue: null } })).toMatchObject({
    first: expect.arrayContaining([...expected]),
  });
});
