import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openSeriesFile } from "../../support/openSeriesFile.ts";
import { mustSucceed, scratchFolder } from "../tools.ts";
import { type Shown, shown } from "./support.ts";

// What a table of others is said to mean: from all that it says, or it asks.

const folder = scratchFolder();

const read = (text: string): Promise<Shown | string> => shown(join(folder, "table.csv"), text);

const HOURS = [0, 1, 2, 3].map((hour) => `2026-10-01T0${hour}:00:00`);

function column(name: string, values: readonly (number | string)[], units = ""): string {
  return `time,${name}\n${units}${values.map((value, i) => `${HOURS[i]},${value}\n`).join("")}`;
}

const NONE = Number.NaN;

/** A row of one day. @param name the field of the station, with a comma */
const day = (at: number, name: string): string => `${name}2026-10-0${at}T00:00:00,240${at}\n`;

describe("the unit of a column", () => {
  it.each<[string, string, number[]]>([
    ["a first value of zero", column("pwv", [0, 12.3, 12.5]), [0, 12.3, 12.5]],
    ["a first value that means none", column("ztd", [9999, 2.4044, 2.4051]), [NONE, 2_404.4, 2_405.1]],
    ["a first value that is no delay", column("ztd", [0, 2.4044, 2.4051]), [0, 2_404.4, 2_405.1]],
    ["centimetres", column("ztd", [240.44, 240.51]), [2_404.4, 2_405.1]],
    ["a row of units", column("pwv", [1.23, 1.25], ",cm\n"), [12.3, 12.5]],
    ["a row of units and of time scales", column("pwv", [1.23, 1.25], "UTC,cm\n"), [12.3, 12.5]],
    ["a comment of units", `# field_unit: UTC, cm\n${column("pwv", [1.23, 1.25])}`, [12.3, 12.5]],
    ["a name of many words", column("PWV [unit=cm]".replace("unit=", ""), [1.23, 1.25]), [12.3, 12.5]],
    ["a mass", column("iwv_kg_m2", [12.3, 12.5]), [12.3, 12.5]],
    ["grams", column("IWV (g/cm2)", [1.23, 1.25]), [12.3, 12.5]],
    ["a slash", column("ZTD/m", [2.4044, 2.4051]), [2_404.4, 2_405.1]],
    ["a preposition", column("PWV in cm", [1.23, 1.25]), [12.3, 12.5]],
    ["a row of units with a dash for none", "time,station,pwv\nUTC,-,cm\n2026-10-01,KALL,1.23\n", [12.3]],
    ["a part of a unit", column("PWV (1/10 mm)", [43, 51]), [4.3, 5.1]],
    ["a divided unit", column("PWV [mm/10]", [43, 51]), [4.3, 5.1]],
    ["a power of ten", column("PWV [10^-4 m]", [43, 51]), [4.3, 5.1]],
    ["a part in words", column("pwv_tenths_mm", [43, 51]), [4.3, 5.1]],
    ["a part in a row of units", column("pwv", [43, 51], ",0.1 mm\n"), [4.3, 5.1]],
    ["decimetres", column("ZTD [dm]", [24.044, 24.051]), [2_404.4, 2_405.1]],
    ["a unit before another bracket", column("IWV (g/cm2) [GPS]", [1.23, 1.25]), [12.3, 12.5]],
    ...[
      "PWV in cm, ZTD in m",
      "ZTD in m; PWV (precipitable water) in centimetres",
      "Unit of PWV: cm",
      "ztd [m]; pwv [cm]",
      "pwv_unit: cm",
      "3 pwv (cm)",
      "units: time=UTC, pwv=cm",
      "PWV is given in centimetres.",
    ].map(
      (comment) =>
        [`“${comment}”`, `# ${comment}\n${column("pwv", [1.23, 1.25])}`, [12.3, 12.5]] as [string, string, number[]],
    ),
    ["a comment on a column of any name", `# sigma in mm\n${column("sigma", [1.2, 1.3])}`, [1.2, 1.3]],
    ["a comment on σ", `# σ in mm; PWV sigma in cm\n${column("σ", [1.2, 1.3])}`, [1.2, 1.3]],
    ["a comment on uncertainties", `# errors in mm, delays in m\n${column("ztd_err", [1.2, 1.3])}`, [1.2, 1.3]],
    ["a comment on the uncertainty", `# ZTD in m, sigma in mm\n${column("ztd_sigma", [1.2, 1.3])}`, [1.2, 1.3]],
    [
      "a comment of as many words as columns",
      `% Units: pwv (cm)\n${column("pwv", [1.23, 1.25])}`.replaceAll(",", " "),
      [12.3, 12.5],
    ],
    ["a title of tenths", `PWV is given in tenths of a millimetre,\n${column("pwv", [43, 51])}`, [4.3, 5.1]],
    [
      "a comment of units below that of names",
      `# time,pwv\n# UTC,cm\n${HOURS[0]},1.23\n${HOURS[1]},1.25\n`,
      [12.3, 12.5],
    ],
  ])("is known: %s", async (_, text, values) => {
    expect(await read(text)).toMatchObject({
      all: [values],
      units: ["mm"],
    });
  });

  it("is not m if all values of ZTD are whole numbers, as of a split decimal comma", async () => {
    expect(await read(column("ztd", [2, 2, 2, 2]))).toMatch(/^undecided: /);
    expect(await read(column("ztd", [2, 2.5, 2, 2]))).toMatchObject({ units: ["mm"] });
  });

  it("of an uncertainty is that of its value", async () => {
    const text = "time,ztd_mm,ztd_sigma\n2026-10-01,2404.4,0.09\n2026-10-02,2405.1,0.08\n";
    expect(await read(text)).toMatchObject({
      all: [
        [2_404.4, 2_405.1],
        [0.09, 0.08],
      ],
    });
  });

  it.each([
    ["PWV_GNSS", "12.3", [["table", "pwv"]]],
    [
      "gps_pwv,pwv_era5",
      "12.3,12.4",
      [
        ["table", "pwv"],
        ["table", null],
      ],
    ],
    // Codes beside quantities are the names of their series, also those of models.
    [
      "ZTD_GNSS,ZTD_ERA5",
      "2404.4,2403.1",
      [
        ["GNSS", "ztd"],
        ["ERA5", "ztd"],
      ],
    ],
  ])("is known beside the technique of measurement: %s", async (names, values, expected) => {
    const path = join(folder, "table.csv");
    writeFileSync(path, `time,${names}\n2026-10-01,${values}\n2026-10-02,${values}\n`);
    const { series } = mustSucceed(await openSeriesFile(path));
    expect(series.map(({ quantity, label }) => [label, quantity.variable])).toEqual(expected);
  });

  it.each<[string, string, string]>([
    ["all values fit several", column("pwv", [0, 2.3, 4.5]), "pwv=pwv:mm pwv=pwv:cm"],
    ["its name and its values differ", column("ztd_mm", [2.4044, 2.4051]), "ztd_mm=ztd:m ztd_mm=number:null"],
    [
      "values are far below any in the unit of its name",
      column("PWV_mm", [0.0123, 0.0125]),
      "PWV_mm=pwv:m PWV_mm=number:null",
    ],
    ["its comment and its values differ", `# ZTD unit: mm\n${column("ztd", [2.4044])}`, "ztd=ztd:m ztd=number:null"],
    ["a known unit fits no values", column("PWV [dm]", [12, 13]), "PWV [[]dm]=pwv:mm PWV [[]dm]=number:null"],
    ["no unit fits the values", column("ztd", [24_044, 24_051]), "ztd=number:null"],
    ...["dmm", "mm x10", "mm above 2000", "ns", "mol/m2"].map(
      (unit) =>
        [`its unit is unknown: ${unit}`, column(`PWV (${unit})`, [12, 13]), "PWV [(].*[)]=number:null"] as [
          string,
          string,
          string,
        ],
    ),
    ["its name and the row of units differ", column("ztd_mm", [2404.4], ",m\n"), "ztd_mm=ztd:mm ztd_mm=number:null"],
  ])("is asked if %s", async (_, text, choices) => {
    expect(await read(text)).toMatch(new RegExp(`^undecided: .*${choices}$`));
  });

  it("of an uncertainty is the one that is stated, whatever that of its value", async () => {
    const text = "time,ztd (m),ztd_sigma (mm)\n2026-10-01,2.4044,1.1\n2026-10-02,2.4051,1.2\n";
    expect(await read(text)).toMatchObject({
      all: [
        [2_404.4, 2_405.1],
        [1.1, 1.2],
      ],
    });
  });

  it.each([
    ["PWV (mm x10)", [120, 130], "mm x10"],
    ["ZTD [ns]", [8.02, 8.03], "ns"],
  ])("that is unknown is shown as it is if the printed answer is given: %s", async (name, values, unit) => {
    const columns = { columns: [{ column: name, role: "number", unit: null }], noValue: null } as const;
    const found = await shown(join(folder, "table.csv"), column(name, values), { columns });
    expect(found).toMatchObject({ all: [values], units: [unit], variables: [null] });
  });

  it.each([
    "PWV-mean (mm)",
    "pwv – mean (mm)",
    "ΔPWV (mm)",
    "δZTD (mm)",
    "ZTD - mean [mm]",
    "ZTD' [mm]",
    "PWV/ZTD (mm)",
  ])("of a difference does not make it a delay or vapour: %s", async (name) => {
    expect(await read(column(name, [3, 4]))).toMatchObject({ all: [[3, 4]], units: ["mm"], variables: [null] });
  });

  it("is the same wherever missing values and outliers are", async () => {
    const units = fc.constantFrom(["mm", 1] as const, ["cm", 10] as const, ["m", 1_000] as const);
    const signs = fc.constantFrom("-999", "-9999.0", "9999", "-99.9", "NaN", "", "999.99", "1e20");
    await fc.assert(
      fc.asyncProperty(
        units,
        fc.array(fc.double({ min: 2_000, max: 2_700, noNaN: true }), { minLength: 12, maxLength: 30 }),
        fc.uniqueArray(fc.tuple(fc.nat(29), signs), { selector: ([at]) => at, maxLength: 10 }),
        async ([unit, factor], ztds, missing) => {
          const none = new Map(missing.filter(([at]) => at < ztds.length));
          fc.pre(none.size < ztds.length - 1);
          const rows = ztds.map((ztd, i) => `2026-10-${String(i + 1).padStart(2, "0")},${none.get(i) ?? ztd / factor}`);
          const found = (await read(`time,ztd\n${rows.join("\n")}\n`)) as Shown;
          expect(found.notes[0]).toContain(`ztd is ZTD in ${unit} by its`);
          const isRight = (value: number, i: number): boolean =>
            none.has(i) ? Number.isNaN(value) : Math.abs(value - ztds[i]!) < 1e-6;
          expect(found.values.every(isRight)).toBe(true);
        },
      ),
    );
  });
});

describe("a heading", () => {
  const title = "ZTD report,,\ntime,station,ztd_mm\n";

  it("is below a title that a spreadsheet fills up with separators", async () => {
    const rows = `${HOURS[0]},KALL,2404\n${HOURS[1]},KALL,2405\n2026-10-02,MAST,2390\n`;
    expect(await read(`${title}${rows}`)).toMatchObject({ labels: ["KALL", "MAST"], all: [[2_404, 2_405], [2_390]] });
  });

  it("of two lines is below such a title, too", async () => {
    const text = `Report;;\n;KALL;MAST\nTime;ZTD (mm);ZTD (mm)\n${HOURS[0]};2404;2390\n${HOURS[1]};2405;2391\n`;
    const { all, first } = (await read(text)) as Shown;
    expect(all).toEqual([
      [2_404, 2_405],
      [2_390, 2_391],
    ]);
    expect(first.join("\n")).toMatch(/^KALL ztd[^]*\nMAST ztd/);
  });
});

describe("the station of rows", () => {
  it("is named by a line above them, whether there is one or several", async () => {
    const [kall, mast] = [`# Station: KALL\ntime,ztd_mm\n${day(1, "")}`, `# Station: MAST\n${day(2, "")}`];
    expect(await read(kall)).toMatchObject({ labels: ["KALL"], all: [[2_401]] });
    expect(await read(kall + mast)).toMatchObject({ labels: ["KALL", "MAST"], all: [[2_401], [2_402]] });
  });

  it.each([
    ["Station,KALL\n", "KALL"],
    ["Station:,KALL\n", "KALL"],
    ["Station,KALL\nObserver,A. Muster\n", "KALL"],
    ["Station,KALL\nTime zone,UTC\n", "KALL"],
    ["# Station: KALL00FIN (Kallio), lat 60.2\n", "KALL00FIN"],
    ["# Station: unknown\n", "table"],
    ["# Receiver: LEICA GR30\n# Station: KALL\n", "KALL"],
    ["# Location: latitude 47.42\n", "table"],
    ["# Stations: all\n", "table"],
  ])("is named above two columns, and no word for none: %s", async (above, label) => {
    expect(await read(`${above}time,ztd_mm\n${day(1, "")}${day(2, "")}`)).toMatchObject({
      first: [`${label} ztd mm 2026-10-01T00:00 2401`],
    });
  });

  it.each([
    ["TOA5", '"TOA5","Kallio","CR1000"\n"TIMESTAMP","BP_Avg"\n"TS","mbar"\n"","Avg"\n'],
    ["TOACI1", '"TOACI1","Kallio","Tab10"\n"TMSTAMP","BP_hPa"\n'],
    ["AERONET", "AERONET_Site,time,x\n"],
    ["Météo-France", "NUM_POSTE,time,x\n"],
  ])("is what %s names", async (_, heading) => {
    const station = heading.includes("TOA") ? "" : "Kallio,";
    const { labels } = (await read(`${heading}${day(1, station)}${day(2, station)}`)) as Shown;
    expect(labels).toEqual(["Kallio"]);
  });

  it("is a whole number, as which pandas writes none", async () => {
    expect(await read(`wmo,time,ztd_mm\n${day(1, "2836.0,")}${day(2, "2836.0,")}`)).toMatchObject({ labels: ["2836"] });
  });

  it("is unknown where its field is empty: never another one, and refused if times repeat", async () => {
    const [one, other] = [`A,${HOURS[0]},2404\n,${HOURS[1]},2405\n`, `B,${HOURS[0]},2304\n,${HOURS[1]},2305\n`];
    const found = (await read(`station,time,ztd_mm\n${one}`)) as Shown;
    expect(found.labels).toEqual(["A", "table"]);
    expect(found.notes.join(" ")).toContain("an empty field of the station are a series of their own: 1.");
    expect(await read(`station,time,ztd_mm\n${one}${other}`)).toMatch(/^unreadable: .*“station” repeat times/);
  });
});

describe("a heading that begins like a comment", () => {
  it.each(['"#",time,ztd_mm', '"%";"time";"ztd_mm"', '"#no"\t"time"\t"ztd_mm"'])(
    "costs no row: %s",
    async (heading) => {
      const separator = /[;\t]/.exec(heading)?.[0] ?? ",";
      const rows = HOURS.map((hour, i) => [i, hour, 2_404 + i].join(separator)).join("\n");
      expect(await read(`${heading}\n${rows}\n`)).toMatchObject({ values: [2_404, 2_405, 2_406, 2_407] });
    },
  );
});

describe("no value", () => {
  it.each([
    ["ztd_mm", "-9999", 2_404.4],
    ["pressure", "-999", 1_013.2],
    ["pressure_hpa", "9999.9", 1_013.2],
    ["ps_mb", "-99.9", 1_013.2],
    ["temperature (K)", "-9.9", 283.4],
    ["humidity", "-99", 55],
    ["pwv_mm", "-7999", 12.3],
    ["ztd_mm", "-32768", 2_404.4],
    ["ztd_mm", "2147483647", 2_404.4],
    ["pwv_mm", "-1e34", 12.3],
    ["pwv_mm", "65535", 12.3],
  ])("in a column %s is %s, as its plausible range allows", async (name, sign, value) => {
    const text = `station_id,time,${name}\nA,2026-10-01,${sign}\nA,2026-10-02,${value}\n`;
    expect(await read(text)).toMatchObject({
      values: [NONE, value],
      notes: expect.arrayContaining([expect.stringMatching(/no value: 1\./)]),
    });
  });

  it("is none of the plausible values, and implausible ones are kept and counted", async () => {
    const text =
      "time,temp (degC),ztd_mm\n2026-10-01,-9.9,2404\n2026-10-02,-3,2405\n2026-10-03,1,9000\n2026-10-04,1,2406\n";
    expect(await read(text)).toMatchObject({
      all: [
        [-9.9, -3, 1, 1],
        [2_404, 2_405, 9_000, 2_406],
      ],
      notes: expect.arrayContaining(["Values of “ztd” outside of 1,000 to 3,000 mm are implausible, and shown: 1."]),
    });
  });
});

function rows(stations: readonly [string, string]): string {
  return HOURS.flatMap((time, i) => stations.map((id, k) => `${id},${time},${2_400 + i + 100 * k}\n`)).join("");
}

describe("the station of a row", () => {
  const columns = [
    "mountpoint",
    "receiver",
    "platform",
    "wmo_id",
    "station_no",
    "stn",
    "siteNo",
    "antenne",
    "wo",
    "x7",
  ];

  it.each(columns)("is told by a column named %s", async (name) => {
    const [a, b] = name === "wmo_id" || name === "station_no" ? ["2978", "10393"] : ["KALL", "SODA"];
    const found = (await read(`${name},time,ztd_mm\n${rows([a, b])}`)) as Shown;
    expect(found.labels).toEqual([a, b]);
    expect(found.all).toEqual([
      [2_400, 2_401, 2_402, 2_403],
      [2_500, 2_501, 2_502, 2_503],
    ]);
  });

  it("is told by the only column that tells rows of one time apart, also if one station follows another", async () => {
    const long = ["KALL00FIN", "SODA00FIN"].flatMap((id, k) =>
      HOURS.map((time, i) => `${time},${2_400 + i + 100 * k},${id},ok\n`),
    );
    const found = (await read(`time,ztd_mm,who,flag\n${long.join("")}`)) as Shown;
    expect(found.labels).toEqual(["KALL00FIN", "SODA00FIN"]);
    expect(found.notes).toContain("Rows are told apart by “who”: it is the station.");
  });

  it.each([
    ["source", "GNSS", "ERA5", null],
    ["status", "GOOD", "POOR", null],
    ["x7", "KALL", "SODA", null],
    ["x7", "KALL00FIN", "SODA00FIN", "KALL00FIN"],
    ["estación", "KALL", "SODA", "KALL"],
    ["観測局", "0271", "0272", "0271"],
  ])("is claimed by the name of a column, or codes that only stations have: %s %s", async (name, a, b, id) => {
    const path = join(folder, "table.csv");
    writeFileSync(path, `${name},time,ztd_mm\n${rows([a, b])}`);
    const { series } = mustSucceed(await openSeriesFile(path));
    expect(series.map(({ label }) => label)).toEqual([a, b]);
    expect(series[0]?.stationId).toBe(id);
  });

  it("is not the number of the row", async () => {
    const found = (await read(
      `id,time,ztd_mm\n${HOURS.map((time, i) => `${i + 1},${time},240${i}\n`).join("")}`,
    )) as Shown;
    expect(found.values).toHaveLength(4);
  });

  it("is asked if several columns may tell it, or the time of day is not known", async () => {
    const both =
      "p,q,time,ztd_mm\nA,x,2026-10-01,2400\nB,y,2026-10-01,2500\nA,x,2026-10-02,2401\nC,y,2026-10-02,2501\n";
    expect(await read(both)).toMatch(/^undecided: .*“p”, “q”.*p=station:null q=station:null$/);
    const hours = Array.from({ length: 8 }, (_, i) => `2026-10-01,${i},${i % 2},240${i}\n`).join("");
    expect(await read(`date,slot,m,ztd_mm\n${hours}`)).toMatch(/^undecided: Several rows have one time/);
  });
});

it("a deviation beside a mean is of its values, and no uncertainty", async () => {
  const rows = "2026-10-01,2404.4,12.5\n2026-10-02,2405.1,11.5\n";
  for (const names of ["ztd_mean,ztd_std", "ZTD Mean (mm),ZTD StdDev (mm)"])
    expect(await read(`time,${names}\n${rows}`)).toMatchObject({ variables: ["ztd", null] });
  expect(await read(`time,ztd,ztd_std\n${rows}`)).toMatchObject({ variables: ["ztd", "ztd_sigma"] });
});

function at(text: string, names = "time"): string {
  return `${names},ztd_mm\n${text},2404\n`;
}

describe("the time of a row", () => {
  it.each([
    ["an hour of day named hod", at("2026-10-01,24:00", "date,hod"), "2026-10-02T00:00:00"],
    ["names of months", at("01-Oct-2026 00:05"), "2026-10-01T00:05:00"],
    ["names of months first", at('"October 1, 2026 12:05 AM"'), "2026-10-01T00:05:00"],
    ["days of the year", at("2026-274T00:05"), "2026-10-01T00:05:00"],
    ["days of the year with seconds", at("2026-274T00:05:30Z"), "2026-10-01T00:05:30"],
    ["days of the year in digits", at("2026274T000530Z"), "2026-10-01T00:05:30"],
    ["an hour of UTC", at("2026-10-01 06Z"), "2026-10-01T06:00:00"],
    ["a clock of 12 hours", at("2026-10-01 12:05 PM"), "2026-10-01T12:05:00"],
    ["midnight on a clock of 12 hours", at("2026-10-01 12:05:00 a.m."), "2026-10-01T00:05:00"],
    ["a column of AM and PM", at("2026-10-01,01:05,PM", "date,time,ampm"), "2026-10-01T13:05:00"],
    ["GPS week and second", at("2438,345900", "gps_week,tow"), "2026-10-01T00:04:42"],
    ["GPS time by its name", at("2026-10-01 00:05:18", "time_gps"), "2026-10-01T00:05:00"],
    ["GPS time by its name in words", at("2026-10-01 00:05:18", "GPS time"), "2026-10-01T00:05:00"],
    ["GPS time by a comment", `# time system: GPS\n${at("2026-10-01 00:05:18")}`, "2026-10-01T00:05:00"],
    ["GPS time by a row of units", "time,ztd\nGPS,mm\n2026-10-01 00:05:18,2404\n", "2026-10-01T00:05:00"],
    ["a Julian date", at("2461314.5", "jd"), "2026-10-01T00:00:00"],
    ["days as MATLAB counts them", at("740256.5", "datenum"), "2026-10-01T12:00:00"],
    ["the same in brackets", at("740256.5", "Time (MATLAB)"), "2026-10-01T12:00:00"],
    ["a day and its fraction", at("61314,0.25", "mjd,day_fraction"), "2026-10-01T06:00:00"],
    ["GPS week and SoW", at("2438,345900", "GPS Week,GPS SoW"), "2026-10-01T00:04:42"],
    ["a slash before the time of day", at("2026-10-01/06:05:00"), "2026-10-01T06:05:00"],
    ["dots behind day and month", at("01.02.2026 06:05"), "2026-02-01T06:05:00"],
  ])("is known: %s", async (_, text, time) => {
    expect(await read(text)).toMatchObject({ times: [Date.parse(`${time}Z`)] });
  });

  it.each([
    ["local times", at("2026-10-01 00:05", "local_time"), /zone “local”/],
    ["a name and fields that differ", at("2026-10-01T00:05Z", "time_gps"), /GPS by its name and UTC by its fields/i],
    [
      "dates of numbers",
      at("01/02/2026 00:05").repeat(1) + "02/02/2026 00:05,2404\n",
      /time=dayFirst:null time=monthFirst/,
    ],
    ["years of two digits", `${at("13-Oct-26")}14-Oct-26,2405\n`, /time=time:null time=dayFirst:null$/],
  ])("is asked: %s", async (_, text, message) => {
    expect(await read(text)).toMatch(message);
  });
});

it.each([
  ["ztd_total", "2404.4", ["table ztd mm"]],
  ["ztd_x,ztd_y", "2404.4,2405.5", ["table ztd mm", "table ztd mm"]],
  [`"('ZTD', 'm')"`, "2.4044", ["table ztd mm"]],
  ["temp_K,temp_C,site_c", "280.1,7,1", ["table temp K", "table temp degC", "table site_c null"]],
])("is known by its name: %s", async (names, values, expected) => {
  const { first } = (await read(`time,${names}\n${HOURS[0]},${values}\n${HOURS[1]},${values}\n`)) as Shown;
  expect(first.map((each) => each.split(" ").slice(0, 3).join(" "))).toEqual(expected);
});

it.each([
  ["pressure_hPa", 100_570],
  ["pressure (Pa)", 1004.6],
  ["temp_C", 277.2],
])("values that contradict the unit of another quantity are shown with a note: %s", async (name, value) => {
  const { all, notes } = (await read(column(name, [value, value]))) as Shown;
  expect(all).toEqual([[value, value]]);
  expect(notes.join(" ")).toMatch(/outside of .* are implausible, and shown: 2\./);
});

it("two columns of one name whose values fit different units are asked about, and the answer opens them", async () => {
  const text = `time,ztd,ztd\n${HOURS[0]},2404.4,1.2\n${HOURS[1]},2405.1,3.1\n`;
  expect(await read(text)).toMatch(/^undecided: Columns 2 and 3 .* 3=number:null 2=number:null$/);
  const columns = { columns: [{ column: "3", role: "number", unit: null }], noValue: null } as const;
  expect(await shown(join(folder, "table.csv"), null, { columns })).toMatchObject({ variables: ["ztd", null] });
});

it.each(["values are multiplied by 10", "scale_factor = 0.1"])(
  "a factor in a comment is asked about: %s",
  async (words) => {
    expect(await read(`# ${words}\n${column("pwv_mm", [19, 20])}`)).toMatch(
      /^undecided: .* pwv_mm=pwv:mm pwv_mm=number:null$/,
    );
    expect(await read(`# pwv is scaled by 10 (0.1 mm)\n# pwv in 0.1 mm\n${column("pwv", [190, 200])}`)).toMatchObject({
      all: [[19, 20]],
    });
  },
);

it("numbers that tell rows of one day apart are offered as hours", async () => {
  const rows = [1, 2, 24].map((hour) => `2026-10-01,KALL,${hour},2400.5`);
  expect(await read(`date,station,hour_ending,ztd_mm\n${rows.join("\n")}\n`)).toMatch(
    /^undecided: Several rows have one time.* hour_ending=hour:null$/,
  );
});
