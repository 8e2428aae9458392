import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as XLSX from "xlsx";
import { describe, expect, it } from "vitest";
import { scratchFolder } from "../tools.ts";
import { generatedFrom, openedSeries, type Shown, shown } from "./support.ts";

// What a file says, and what it only seems to say.

const path = join(scratchFolder(), "a.csv");

/** The first row of each series, or why the file is not shown. */
async function read(content: string | Buffer): Promise<readonly string[] | string> {
  const found = await shown(path, content);
  return typeof found === "string" ? found : found.first;
}

describe("a station", () => {
  it("is not the name of a quantity in each row", async () => {
    const rows = ["2026-06-15T00:00Z,KALL,pwv_mm,23.4", "2026-06-15T00:00Z,KALL,ztd_mm,2402.5"];
    expect(await read(`time,station,name,value\n${rows.join("\n")}\n`)).toEqual([
      "KALL pwv mm 2026-06-15T00:00 23.4",
      "KALL ztd mm 2026-06-15T00:00 2402.5",
    ]);
  });

  it("is not a name that rows of one time share", async () => {
    const rows = ["KALL", "ZUGS"].flatMap((code) =>
      [0, 1, 2].map((hour) => `tropo,station=${code},2026-06-15T0${hour}:00Z,240${hour}`),
    );
    writeFileSync(path, `name,tags,time,ztd_mm\n${rows.join("\n")}\n`);
    const { series, close } = await openedSeries(path);
    close();
    expect(series).toMatchObject([
      { label: "tropo station=KALL", stationId: null },
      { label: "tropo station=ZUGS", stationId: null },
    ]);
  });

  it("is not a season", async () => {
    const seasons = ["DJF", "MAM", "JJA", "SON"].map((season, i) => `2026-0${1 + 2 * i}-15,${season},2${i}`);
    expect(await read(`fecha,estación,pwv_mm\n${seasons.join("\n")}\n`)).toEqual(["a pwv mm 2026-01-15T00:00 20"]);
    expect(await read("fecha,estación,pwv_mm\n2026-01-15,KALL,20\n")).toEqual(["KALL pwv mm 2026-01-15T00:00 20"]);
  });

  it("ends where the next name of a comment begins", async () => {
    const text = "# station: POTS  lat: 52.4 lon: 13.1\ntime,ztd_mm\n2026-06-15T00:00Z,2401.2\n";
    expect(await read(text)).toEqual(["POTS ztd mm 2026-06-15T00:00 2401.2"]);
  });
});

describe("a heading", () => {
  it("has words in its third line, too", async () => {
    const text =
      "title\n,Tokyo,Tokyo,Tokyo\ntime,p (hPa),p (hPa),p (hPa)\n,,quality,set\n2026-06-15 0:00:00,1010.0,8,1\n";
    expect(await read(text)).toEqual([
      "a Tokyo p hPa 2026-06-15T00:00 1010",
      "a Tokyo p quality null 2026-06-15T00:00 8",
      "a Tokyo p set null 2026-06-15T00:00 1",
    ]);
  });

  it("has its units in a row above it, and words in brackets are none", async () => {
    const head = "location,K,K\nlat,60,60\nlon,25,25\nvariable,P,T\nunit,mm,°C\nlevel,sfc,2 m elevation corrected\n";
    const text = `${head}time,Precipitable Water,Temperature [2 m elevation corrected]\n2026-06-15T00:00Z,23.4,15.0\n`;
    expect(await read(text)).toEqual([
      "a pwv mm 2026-06-15T00:00 23.4",
      "a Temperature [2 m elevation corrected] °C 2026-06-15T00:00 15",
    ]);
  });

  it("is above the rule of a Markdown table", async () => {
    const text = "| time | station | ztd_mm |\n|:---|:---|---:|\n| 2026-06-15 00:00 | KALL | 2401.2 |\n";
    expect(await read(text)).toEqual(["KALL ztd mm 2026-06-15T00:00 2401.2"]);
  });

  it.each([
    ["ZTD (wet) [mm]", "ZTD (wet) mm"],
    ["mean(ztd_mm)", "mean(ztd_mm) null"],
    ["temp (max)", "temp (max) null"],
    ["temperature (Vaisala PTU300)", "temperature (Vaisala PTU300) null"],
    ["ztd used (1/0)", "ztd used (1/0) null"],
    ["ZTD (sigma) [mm]", "ztd_sigma mm"],
    ["ZTD (std, mm)", "ztd_sigma mm"],
    ["ZTD (GNSS) [mm]", "ztd mm"],
    ["Zenith Total Delay (ZTD) [mm]", "ztd mm"],
    ["flux (W m-2)", "flux W m-2"],
    ["rate [mm/h]", "rate mm/h"],
    ["T (℃)", "T ℃"],
  ])("has what brackets say in its name, or in its unit: %s", async (name, meaning) => {
    const value = meaning.startsWith("ztd mm") ? 2401.2 : 1.5;
    expect(await read(`time,"${name}"\n2026-06-15T00:00Z,${value}\n`)).toEqual([
      `a ${meaning} 2026-06-15T00:00 ${value}`,
    ]);
  });

  it("has units with raised digits and dots", async () => {
    expect(await read("time,IWV [kg·m⁻²]\n2026-06-15T00:00Z,23.4\n")).toEqual(["a pwv mm 2026-06-15T00:00 23.4"]);
  });
});

/** Rows of each hour. @param shares numbers of rows of each value */
function hourly(...shares: readonly (readonly [number, number])[]): string {
  const values = shares.flatMap(([count, value]) => Array.from({ length: count }, () => value));
  return values.map((value, i) => `${new Date(Date.UTC(2026, 5, 15, i)).toISOString()},${value}`).join("\n");
}

describe("values", () => {
  it.each(["ztd", "ztd_mm"])("of two units below %s are asked about, wherever they begin", async (name) => {
    const two = hourly([297, 2401.2], [3, 2.4012]);
    expect(await read(`time,${name}\n${two}\n`)).toMatch(/297 in mm and 3 in m alone/);
    expect(await read(`time,${name}\n${hourly([298, 2401.2], [2, 2.4012])}\n`)).toEqual([
      "a ztd mm 2026-06-15T00:00 2401.2",
    ]);
  });
});

it("a unit in the name of a NetCDF variable counts, and so does a start with the day first", async (context) => {
  const content = `dimensions: time = 2 ; variables: double time(time) ; time:units = "hours since 15.6.2026, 00:00:00" ;
    double ztd_mm(time) ; double pr_wtr(time) ; pr_wtr:unit = "cm" ; data: time = 0, 1 ; ztd_mm = 2401.2, 2401.5 ; pr_wtr = 1.2, 1.3 ;`;
  const file = generatedFrom(context, path.replace("a.csv", "u.nc"), content);
  expect(((await shown(file, null)) as Shown).first.map((each) => each.split(" ").slice(-5).join(" "))).toEqual([
    "ztd_mm ztd mm 2026-06-15T00:00 2401.2",
    "pr_wtr pwv mm 2026-06-15T00:00 12",
  ]);
});

describe("times", () => {
  it.each([
    ["time (seconds since 2000-01-01 00:00:00),ztd_mm\n834796800,2401.2\n"],
    ["Timestamp (s since 1904)\tztd [mm]\n3864326400.000\t2401.2\n"],
    ["time,ztd_mm\ndays since 1900-01-01,mm\n46187,2401.2\n"],
  ])("are counted from the start that a heading or a unit states: %j", async (text) => {
    const start = text.startsWith("time,") ? "16" : "15";
    expect(await read(text)).toEqual([`a ztd mm 2026-06-${start}T00:00 2401.2`]);
  });

  it("counted from the start of GPS time are asked about", async () => {
    expect(await read("time (seconds since 1980-01-06),ztd_mm\n1465516800,2401.2\n")).toMatch(
      /GPS time by the start of GPS time and UTC by CF/,
    );
  });

  it.each([
    "北京时间",
    "現地時刻",
    "dt_eastern",
    "timeBerlin",
    "ώρα Ελλάδας",
    "giờ Việt Nam",
    "helyi idő",
    "TST",
    "time+2h",
    "观测时间",
  ])("of a place in their name are asked about: %s", async (name) => {
    expect(await read(`${name},PWV(mm)\n2026-06-15 00:00:00,23.4\n`)).toMatch(/may not be UTC/);
  });

  it.each(["Messzeitpunkt", "TIMESTAMP_START", "yyyy-mm-ddThh:mm", "launch_time", "zulu"])(
    "of a name without a place are UTC: %s",
    async (name) => {
      expect(await read(`${name},ztd_mm\n2026-06-15 00:00:00,2401.2\n`)).toEqual(["a ztd mm 2026-06-15T00:00 2401.2"]);
    },
  );

  it.each([
    ["GPS-Zeit", "2026-06-14T23:59:42"],
    ["time_utc_minus_5", "2026-06-15T05:00"],
    ["TimeUTCplus2", "2026-06-14T22:00"],
  ])("are in the scale in their name, %s", async (name, first) => {
    expect(await read(`${name},ztd_mm\n2026-06-15 00:00:00,2401.2\n`)).toEqual([`a ztd mm ${first} 2401.2`]);
  });

  it("have the zone within a date, and that of their row", async () => {
    const date = "time,ztd_mm\nMon Jun 15 00:00:00 CET 2026,2401.2\n";
    expect(await read(date)).toMatch(/in the zone “CET”/);
    const rows = ["00,EST", "01,EST", "02,oops"].map((row) => `2026-06-15 ${row.replace(",", ":00,")},2401.2`);
    expect(await read(`time,zone,ztd_mm\n${rows.join("\n")}\n`)).toMatch(/EST by its zone and oops by its zone/);
  });

  it.each(["EST", "JST", "GPS"])("of later rows alone may have a zone: %s", async (zone) => {
    const rows = Array.from(
      { length: 99 },
      (_, i) => `2026-06-${10 + (i % 9)} 00:${10 + (i % 50)}${i < 60 ? "" : ` ${zone}`},240${i % 9}`,
    );
    expect(await read(`time,ztd_mm\n${rows.join("\n")}\n`)).toMatch(zone);
  });

  it("of a second column that are others in later rows alone are asked about", async () => {
    const rows = Array.from(
      { length: 99 },
      (_, i) => `2026-06-15 00:${10 + (i % 40)},2401,2026-06-15 00:${10 + (i % 40) + Number(i > 60)},20`,
    );
    expect(await read(`time,ztd_mm,time.1,pwv_mm\n${rows.join("\n")}\n`)).toMatch(/“time.1” tells other times/);
  });

  it("since 1970 are not of the end of this century, as those since 1904 would be", async () => {
    expect(await read("unix_time,ztd_mm\n3864326400,2401.2\n")).toMatch(/cannot be read/);
  });

  it("below a comment that cannot be read are asked about", async () => {
    const comment = Buffer.from("2320b1b1bea9cab1bce40a", "hex");
    const rows = Buffer.from("time,ztd_mm\n2026-06-15 00:00:00,2401.2\n");
    expect(await read(Buffer.concat([comment, rows]))).toMatch(/comment that cannot be read/);
  });

  it("of a workbook are in the zone of an answer", async () => {
    const book = XLSX.utils.book_new();
    const rows = [
      ["Zeit (MEZ)", "ztd_mm"],
      ["2026-06-15 00:00", 2401.2],
    ];
    XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet(rows), "a");
    const content = XLSX.write(book, { type: "buffer", bookType: "xlsx" }) as Buffer;
    expect(await read(content)).toMatch(/in the zone “MEZ”/);
    const columns = { columns: [{ column: "Zeit (MEZ)", role: "time", unit: "UTC+1" } as const], noValue: null };
    expect(await shown(path, content, { columns })).toMatchObject({ first: ["a ztd mm 2026-06-14T23:00 2401.2"] });
  });
});

it("a station that a NetCDF file names is not hidden by the technique in a name", async (context) => {
  const variables = ["ztd_GNSS", "pwv_GNSS"].map((name) => `double ${name}(time) ; ${name}:units = "mm" ;`).join(" ");
  const content = `dimensions: time = 1 ; variables: double time(time) ; time:units = "hours since 2026-06-15" ;
    ${variables} :station = "KALL" ; data: time = 0 ; ztd_GNSS = 2401 ; pwv_GNSS = 20 ;`;
  const file = generatedFrom(context, path.replace("a.csv", "s.nc"), content);
  expect(await shown(file, null)).toMatchObject({ labels: ["KALL, GNSS", "KALL, GNSS"], variables: ["ztd", "pwv"] });
});

it.each([
  ["| Receiver = LEICA", "KALL"],
  ["  Marker number: 10513M001", "KALL"],
])("a station ends before the next value of its comment: %s", async (more, label) => {
  expect(await read(`# Station = KALL ${more}\ntime,ztd_mm\n2026-06-15T00:00Z,2401.2\n`)).toEqual([
    `${label} ztd mm 2026-06-15T00:00 2401.2`,
  ]);
});

it("a minus of typography is one", async () => {
  expect(await read("time,temp_c\n2026-06-15T00:00Z,−5.5\n")).toEqual(["a temp degC 2026-06-15T00:00 -5.5"]);
});

describe("an encoding", () => {
  /** `時刻,観測点,可降水量(mm)` in Shift_JIS, `日期,站点,水汽(mm)` in GBK, and `Дата,Станция,pwv_mm` in Windows-1251. */
  const others = [
    "8e9e8d8f2c8acf91aa935f2c89c28d7e9085 97ca286d6d29",
    "c8d5c6da2cd5beb5e32ccbaec6fb286d6d29",
    "c4e0f2e02cd1f2e0edf6e8ff2c7077765f6d6d",
  ];

  it.each(others)("that is none of Western Europe is not known: %s", async (hex) => {
    const rows = Buffer.from("\n2026-06-15 00:00:00,A,23.4\n2026-06-15 01:00:00,A,23.5\n");
    const named = Buffer.concat([Buffer.from("time,"), Buffer.from(hex.replace(" ", ""), "hex").subarray(5), rows]);
    const found = await shown(path, named);
    expect(found).toMatchObject({ notes: expect.arrayContaining([expect.stringMatching(/encoding .* is not known/)]) });
  });

  it.each(["Sää", "Période", "Größe", "Año", "Straße °C", "µm²", "Température (°C) – “été”", "Øst"])(
    "of Western Europe is known: %s",
    async (name) => {
      const text = Buffer.from(
        `time,${name},ztd_mm\n2026-06-15T00:00Z,1,2401.2\n`.replace(
          /[–“”]/g,
          (sign) => ({ "–": "\u0096", "“": "\u0093", "”": "\u0094" })[sign] ?? "",
        ),
        "latin1",
      );
      const found = await shown(path, text);
      expect(found).toMatchObject({ notes: expect.arrayContaining([expect.stringContaining("Windows-1252")]) });
    },
  );

  it.each(["utf-16le", "utf-16be"])("%s without a byte order mark is named", async (encoding) => {
    const bytes = Buffer.from("time,station,ztd_mm\n2026-06-15T00:00Z,KALL,2401.2\n", "utf16le");
    expect(await read(encoding === "utf-16le" ? bytes : bytes.swap16())).toMatch("encoded as UTF-16");
  });
});

it.each([
  ["<table><tr><td>1</td></tr></table>\n", "web page"],
  ["netcdf dump {\ndimensions:\n\ttime = 3 ;\n}\n", "ncgen"],
  ["# HELP ztd Zenith delay\n# TYPE ztd gauge\nztd 2401.2 1781481600000\n", "Prometheus"],
  ["tropo,station=KALL ztd=2401.2 1781481600000000000\n", "InfluxDB"],
])("%j is refused by name", async (content, name) => {
  expect(await read(content)).toMatch(name);
});
