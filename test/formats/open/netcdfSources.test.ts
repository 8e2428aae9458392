import { join } from "node:path";
import { describe, expect, it, type TestContext } from "vitest";
import { openSeriesFile } from "../../support/openSeriesFile.ts";
import { mustSucceed, scratchFolder } from "../tools.ts";
import { generatedFrom, mustShow, type Shown, shown } from "./support.ts";

// NetCDF files as other makers write them, rebuilt from their published headers.

const folder = scratchFolder();
const START = Date.UTC(2026, 9, 1);
let last = 0;

const written = (context: TestContext, cdl: string): string =>
  generatedFrom(context, join(folder, `${++last}.nc`), cdl);

const read = (context: TestContext, cdl: string): Promise<Shown> => mustShow(written(context, cdl), null);

function withoutUnits(pwv: string): string {
  return `dimensions: time = 3 ; variables: double time(time) ; time:units = "days since 2026-10-01" ;
double ztd(time) ; double pwv(time) ; data: time = 0, 1, 2 ; ztd = 2.3, 2.4, 2.5 ; pwv = ${pwv} ;`;
}

function group(name: string, ztd: number): string {
  return `group: ${name} { variables: double ztd(time) ; ztd:units = "m" ; data: ztd = ${ztd}, 2.5 ; }`;
}

it("single-precision and packed numbers of a NetCDF file are the decimals that are meant, in any unit", async (context) => {
  const { all } = await read(
    context,
    `dimensions: time = 2 ; variables: double time(time) ; time:units = "days since 2026-10-01" ;
float ztd(time) ; ztd:units = "m" ; float pressure(time) ; pressure:units = "hPa" ;
short pwv(time) ; pwv:units = "mm" ; pwv:scale_factor = 0.1f ;
int temperature(time) ; temperature:units = "K" ; temperature:scale_factor = 0.01 ; temperature:add_offset = 273.15 ;
data: time = 0, 1 ; ztd = 2.4044, 2.3 ; pressure = 1013.1, 987.65 ; pwv = 121, 363 ; temperature = 1415, -7 ;`,
  );
  expect(all).toEqual([
    [2_404.4, 2_300],
    [12.1, 36.3],
    [1_013.1, 987.65],
    [287.3, 273.08],
  ]);
});

it.for<[string, string, number[]]>([
  ['time:units = "seconds since 1980-01-06" ; time:long_name = "GPS seconds"', "1474848018, 1474848318", [0, 300]],
  ['time:units = "hours since 2026-10-01" ; time:time_zone = "UTC+2"', "2, 3", [0, 3_600]],
  ['time:units = "day as %Y%m%d.%f" ; time:standard_name = "time"', "20261001, 20261001.25", [0, 21_600]],
])("a NetCDF file whose time has %s is read at its times", async ([attributes, times, seconds], context) => {
  const { times: found } = await read(
    context,
    `dimensions: time = 2 ; variables: double time(time) ; ${attributes} ; double ztd(time) ; ztd:units = "m" ; data: time = ${times} ; ztd = 2.4, 2.3 ;`,
  );
  expect(found).toEqual(seconds.map((s) => START + 1_000 * s));
});

it.for<[string, string, unknown]>([
  ["degrees_south", "degrees_west", { latitudeDeg: -39.9, longitudeDeg: -105.2, heights: [] }],
  ["degrees_north", "degree_W", { latitudeDeg: 39.9, longitudeDeg: -105.2, heights: [] }],
  ["degrees", "", { latitudeDeg: 39.9, longitudeDeg: 105.2, heights: [] }],
  ["radians", "radians", null],
  ["m", "m", null],
])("a position in %s and %s is on its side of the Earth, or none", async ([north, east, position], context) => {
  const angles = `double lat ; lat:units = "${north}" ; double lon ; lon:units = "${east}" ;`;
  const cdl = withoutUnits("12, 13, 14")
    .replace("double ztd(time) ;", `${angles} double ztd(time) ;`)
    .replace("data:", "data: lat = 39.9 ; lon = 105.2 ;");
  expect((await read(context, cdl)).position).toEqual(position);
});

it.for([
  ["ft", [{ metres: 304.8, above: "unknown" }]],
  ["hPa", []],
] as const)("a height of a station in %s is shown in metres, or is none", async ([unit, heights], context) => {
  const place = `double lat ; lat:units = "degrees_north" ; double lon ; lon:units = "degrees_east" ; double height ; height:units = "${unit}" ;`;
  const cdl = withoutUnits("12, 13, 14")
    .replace("double ztd(time) ;", `${place} double ztd(time) ;`)
    .replace("data:", "data: lat = 39.9 ; lon = 105.2 ; height = 1000 ;");
  expect((await read(context, cdl)).position?.heights).toEqual(heights);
});

it("the unit of a NetCDF variable is converted if it is a part of one, and asked about if it is unknown", async (context) => {
  const withUnit = (unit: string): string =>
    written(
      context,
      withoutUnits("43, 51, 50").replace("double pwv(time) ;", `double pwv(time) ; pwv:units = "${unit}" ;`),
    );
  for (const unit of ["0.1 mm", "1e-4 m"]) expect((await mustShow(withUnit(unit), null)).all[1]).toEqual([4.3, 5.1, 5]);
  for (const unit of ["kg m-3", "mol m-2", "inches of rain"])
    expect(await shown(withUnit(unit), null)).toMatch(
      new RegExp(`^undecided: .*${unit}.*a unit that is not known. pwv=number:null$`),
    );
});

describe("a NetCDF file of others", () => {
  it("of records has a series for each number that tells its rows apart, whatever the variable is called", async (context) => {
    const found = await read(
      context,
      `dimensions: obs = 4 ; variables: double t(obs) ; t:units = "hours since 2026-10-01" ;
int antenna(obs) ; float pwv(obs) ; pwv:units = "mm" ; data: t = 0, 1, 0, 1 ; antenna = 10, 10, 20, 20 ; pwv = 11, 12, 21, 22 ;`,
    );
    expect(found.first).toEqual(["antenna 10 pwv mm 2026-10-01T00:00 11", "antenna 20 pwv mm 2026-10-01T00:00 21"]);
  });

  it.for<[string, string, string, number]>([
    [
      "year, day of year and second of the day",
      "short year(t) ; short doy(t) ; int sod(t) ;",
      "year = 2026, 2026 ; doy = 274, 274 ; sod = 300, 600 ;",
      300,
    ],
    ["a modified Julian date", "double mjd(t) ;", "mjd = 61314.25, 61314.5 ;", 21_600],
    ["GPS weeks", "int week(t) ; double tow(t) ;", "week = 2438, 2438 ; tow = 345918, 345948 ;", 300],
    [
      "digits of the date, and hours",
      "int date(t) ; float hour(t) ;",
      "date = 20261001, 20261001 ; hour = 1, 2 ;",
      3_600,
    ],
  ])("with %s for its times is read", async ([, variables, data, seconds], context) => {
    const found = await read(
      context,
      `dimensions: t = 2 ; site = 2 ; variables: ${variables} double ztd(site, t) ; ztd:units = "m" ;
data: ${data} ztd = 2.4044, 2.4051, 2.5044, 2.5051 ;`,
    );
    expect([found.times[0], found.all.map(([value]) => value)]).toEqual([START + 1_000 * seconds, [2_404.4, 2_504.4]]);
  });

  it.for<[string, string, string]>([
    ["yearly values", 'short year(t) ; year:long_name = "year" ;', "year = 2025, 2026 ;"],
    ["hours of any day", "int hour(t) ;", "hour = 0, 1 ;"],
  ])("is not dated by %s", async ([, variables, data], context) => {
    await expect(
      read(context, `dimensions: t = 2 ; variables: ${variables} double ztd(t) ; data: ${data} ztd = 2.4, 2.5 ;`),
    ).rejects.toThrow(/no variable with a time axis/);
  });

  it("of ERDDAP has a series for each station of its rows, also if their times do not overlap", async (context) => {
    const found = await read(
      context,
      `dimensions: row = 4 ; len = 4 ; variables: double time(row) ; time:units = "seconds since 2026-10-01T00:00:00Z" ;
char station(row, len) ; station:cf_role = "timeseries_id" ; float pwv(row) ; pwv:units = "mm" ;
data: time = 0, 300, 600, 900 ; station = "KALL", "KALL", "METS", "METS" ; pwv = 11, 12, 21, 22 ;`,
    );
    expect(found.first).toEqual(["KALL pwv mm 2026-10-01T00:00 11", "METS pwv mm 2026-10-01T00:10 21"]);
  });

  it("of WRF has the times of its texts", async (context) => {
    const found = await read(
      context,
      `dimensions: Time = 2 ; len = 19 ; variables: char Times(Time, len) ; float ztd(Time) ; ztd:units = "mm" ;
data: Times = "2026-10-01_00:05:00", "2026-10-01_00:10:00" ; ztd = 2401, 2402 ;`,
    );
    expect([found.times[0], found.values[0]]).toEqual([START + 300_000, 2_401]);
  });

  it.for<[string, string, number]>([
    ["GPS", "2026-10-01_00:05:18", 300],
    ["UTC+2", "2026-10-01_02:05:00", 300],
    ["GPS", "2026-10-01T00:05Z", 300],
  ])("has texts of times in %s: %s", async ([scale, text, seconds], context) => {
    const found = await read(
      context,
      `dimensions: Time = 1 ; len = ${text.length} ; variables: char Times(Time, len) ; Times:time_system = "${scale}" ;
float ztd(Time) ; ztd:units = "mm" ; data: Times = "${text}" ; ztd = 2401 ;`,
    );
    expect(found.times[0]).toBe(START + 1_000 * seconds);
  });

  it("of SuomiNet has the times of its start date, and no values of -999", async (context) => {
    const found = await read(
      context,
      `dimensions: station = 2 ; len = 4 ; time_offset = 2 ;
variables: char station(station, len) ; double time_offset(time_offset) ;
  time_offset:long_name = "PWV window midpoint time delta from start_time" ; time_offset:units = "seconds" ;
  double lat(station) ; lat:units = "Degrees North(-90 to 90)" ; double lon(station) ; lon:units = "Degrees East(-180 to 180)" ;
  float pwv(station, time_offset) ; pwv:units = "millimeters" ; pwv:missing_value = "-999" ;
  float total_delay(station, time_offset) ; total_delay:units = "millimeters" ; total_delay:missing_value = "-999" ;
  float pres(station, time_offset) ; pres:units = "millibars" ;
  :start_date = "2026.274.00.00.00" ; :start_time = 1.;
data: station = "SA01", "SA02" ; time_offset = 900, 2700 ; lat = 36, 37 ; lon = -97, -98 ;
  pwv = 12.3, 12.4, -999, 13.4 ; total_delay = 2301, 2302, 2401, 2402 ; pres = -999, 980, 981, 982 ;`,
    );
    expect(found.first).toEqual([
      "SA01 ztd mm 2026-10-01T00:15 2301",
      "SA01 pwv mm 2026-10-01T00:15 12.3",
      "SA01 pres millibars 2026-10-01T00:15 NaN",
      "SA02 ztd mm 2026-10-01T00:15 2401",
      "SA02 pwv mm 2026-10-01T00:15 NaN",
      "SA02 pres millibars 2026-10-01T00:15 981",
    ]);
  });

  it("of ARM counts from its base time, whatever the date of its offset, and has PWV in cm", async (context) => {
    const found = await read(
      context,
      `dimensions: time = 2 ; station = 2 ; len = 5 ;
variables: int base_time ; base_time:units = "seconds since 1970-1-1 0:00:00 0:00" ;
  double time_offset(time) ; time_offset:long_name = "time offset from base_time" ; time_offset:units = "seconds since 192026-10-01, 00:15:00 0:00" ;
  char staNam(station, len) ; staNam:long_name = "Station Identifier" ;
  double totalDelay(time, station) ; totalDelay:units = "meters" ; totalDelay:_fillValue = -99.9 ;
  double pwv(time, station) ; pwv:units = "centimeters" ; pwv:_fillValue = -9.9 ;
data: base_time = ${START / 1_000} ; time_offset = 900, 2700 ; staNam = "AAAA", "BBBB" ;
  totalDelay = 2.3, -99.9, 2.31, 2.41 ; pwv = -9.9, 2.4, 1.3, 2.5 ;`,
    );
    expect(found.first).toEqual([
      "AAAA ztd mm 2026-10-01T00:15 2300",
      "AAAA pwv mm 2026-10-01T00:15 NaN",
      "BBBB ztd mm 2026-10-01T00:15 NaN",
      "BBBB pwv mm 2026-10-01T00:15 24",
    ]);
  });

  it.for([
    ["char stationName(recNum, len)", 'stationName = "AAAA", "BBBB", "AAAA", "BBBB"', ["AAAA", "BBBB"]],
    ["int wmoStaNum(recNum)", "wmoStaNum = 2978, 10393, 2978, 10393", ["2978", "10393"]],
    ["char provider(recNum, len)", 'provider = "AAAA", "BBBB", "AAAA", "BBBB"', ["AAAA", "BBBB"]],
  ])(
    "of records, as MADIS and pandas write them, has the stations of %s",
    async ([variable, data, stations = []], context) => {
      const found = await read(
        context,
        `dimensions: recNum = 4 ; len = 4 ;
variables: ${variable} ; double timeObs(recNum) ; timeObs:units = "seconds since 1-1-1970" ;
  float totalDelay(recNum) ; totalDelay:units = "meter" ; totalDelay:long_name = "Total Zenith Delay" ;
data: ${data} ; timeObs = ${[0, 0, 900, 900].map((s) => START / 1_000 + s).join(", ")} ; totalDelay = 2.3, 2.4, 2.31, 2.41 ;`,
      );
      expect(found.first).toEqual(
        [...stations].map((station, i) => `${station} ztd mm 2026-10-01T00:00 ${2_300 + 100 * i}`),
      );
    },
  );

  it.for(["station", "station_name", "siteName"])(
    "with one station has the name that %s gives it",
    async (name, context) => {
      const cdl = withoutUnits("12, 13, 14").replace(
        "data:",
        `:id = "doi:1" ; :platform = "ground" ; :site = 7 ; :${name} = "KALL" ; data:`,
      );
      expect((await read(context, cdl)).labels).toEqual(["KALL", "KALL"]);
    },
  );

  it("with groups has series named after them", async (context) => {
    const found = await read(
      context,
      `dimensions: time = 2 ; variables: double time(time) ; time:units = "days since 2026-10-01" ;
data: time = 0, 1 ; ${group("KALL", 2.3)} ${group("SODA", 2.4)}`,
    );
    expect(found.labels).toEqual(["KALL", "SODA"]);
  });

  it.for([
    ['time:long_name = "GPS time"', -18],
    ['time:time_system = "GPS"', -18],
    ['time:comment = "time system: GPST"', -18],
    ['time:long_name = "Time of GPS observation"', 0],
    ['time:long_name = "time (UTC)"', 0],
  ] as const)("whose time has %s is in UTC", async ([attribute, seconds], context) => {
    const found = await read(
      context,
      `dimensions: time = 2 ; variables: double time(time) ; time:units = "seconds since 2026-10-01" ; ${attribute} ;
double ztd(time) ; ztd:units = "m" ; data: time = 0, 30 ; ztd = 2.3, 2.4 ;`,
    );
    expect(found.times[0]).toBe(START + 1_000 * seconds);
  });

  it.for([
    [
      'time:time_system = "GPS" ; time:long_name = "time (UTC)"',
      /“time” are in GPS by time_system and UTC by long_name.*time=time:GPS time=time:UTC$/,
      { unit: "GPS", seconds: -18 },
    ],
    ['time:time_zone = "CET"', /in the zone “CET”.*time=time:UTC\+1 /, { unit: "UTC+1", seconds: -3_600 }],
    ['time:long_name = "local time"', /“time=time:UTC\+5:30”/, { unit: "UTC+5:30", seconds: -19_800 }],
  ] as const)("whose time has %s asks, and takes the answer", async ([attribute, message, answer], context) => {
    const cdl = `dimensions: time = 2 ; variables: double time(time) ; time:units = "seconds since 2026-10-01" ; ${attribute} ;
double ztd(time) ; ztd:units = "m" ; data: time = 0, 30 ; ztd = 2.3, 2.4 ;`;
    const path = written(context, cdl);
    expect(await shown(path, null)).toMatch(message);
    const columns = [{ column: "time", role: "time", unit: answer.unit } as const];
    const found = await mustShow(path, null, { columns: { columns, noValue: null } });
    expect(found.times[0]).toBe(START + 1_000 * answer.seconds);
  });

  it("of records asks for the zone of its times, and takes the answer", async (context) => {
    const cdl = `dimensions: obs = 2 ; c = 4 ; variables: double time(obs) ; time:units = "seconds since 2026-10-01" ;
time:time_zone = "CET" ; char station(obs, c) ; double ztd(obs) ; ztd:units = "m" ;
data: time = 0, 0 ; station = "KALL", "SODA" ; ztd = 2.3, 2.4 ;`;
    const path = written(context, cdl);
    expect(await shown(path, null)).toMatch(/zone “CET”.*time=time:UTC\+1 /);
    const columns = [{ column: "time", role: "time", unit: "UTC+1" } as const];
    const found = await mustShow(path, null, { columns: { columns, noValue: null } });
    expect([found.labels, found.times[0]]).toEqual([["KALL", "SODA"], START - 3_600_000]);
  });

  it.for([
    ["seconds since 01-Oct-2026,00:00:00 GMT", 0],
    ["seconds since October 1 2026 00:00:00", 0],
    ["seconds since 31-10-2026", 30 * 86_400],
  ] as const)("may count in %s", async ([units, seconds], context) => {
    const found = await read(
      context,
      `dimensions: time = 1 ; variables: double time(time) ; time:units = "${units}" ;
double ztd(time) ; ztd:units = "m" ; data: time = 0 ; ztd = 2.3 ;`,
    );
    expect(found.times[0]).toBe(START + 1_000 * seconds);
  });

  it("without units has those that all its values fit, or asks", async (context) => {
    const found = await read(context, withoutUnits("11.2, 12.3, 13.4"));
    expect([found.variables, found.units]).toEqual([
      ["ztd", "pwv"],
      ["mm", "mm"],
    ]);
    expect(found.notes.join()).toContain("ztd is ZTD in m by its 3 values from 2.3 to 2.5");
    await expect(read(context, withoutUnits("1.2, 2.3, 3.4"))).rejects.toThrow(
      /“pwv” has no unit, .* may be mm or cm\./,
    );
  });

  it("has a series for each place of its observations, if these repeat its times", async (context) => {
    const found = await read(
      context,
      `dimensions: obs = 4 ; variables: int date(obs) ; int datesec(obs) ; float lat(obs) ; lat:units = "degrees_north" ;
float lon(obs) ; lon:units = "degrees_east" ; float pwv(obs) ; pwv:units = "mm" ;
data: date = 20261001, 20261001, 20261001, 20261001 ; datesec = 0, 0, 1800, 1800 ; lat = 60, 48, 60, 48 ;
lon = 25, 11, 25, 11 ; pwv = 11, 21, 12, 22 ;`,
    );
    expect(found.all).toEqual([
      [11, 12],
      [21, 22],
    ]);
    expect([found.position?.latitudeDeg, found.times]).toEqual([60, [START, START + 1_800_000]]);
  });

  it.for<readonly [second: string, values: readonly number[], note: string]>([
    ["1", [11, 12], "their time is the end of the interval."],
    ["_", [11], "Rows without a time are left out: 1."],
  ])(
    "has bounds with units of their own, as xarray writes them; second time: %s",
    async ([second, values, note], context) => {
      const found = await read(
        context,
        `dimensions: time = 2 ; nv = 2 ; variables: double time(time) ; time:units = "hours since 2026-10-01T01:00" ;
time:bounds = "ends" ; double ends(time, nv) ; ends:units = "hours since 2026-10-01" ; double pwv(time) ;
pwv:units = "mm" ; data: time = 0, ${second} ; ends = 0, 1, 1, 2 ; pwv = 11, 12 ;`,
      );
      expect(found.values).toEqual(values);
      expect(found.notes.join()).toContain(note);
    },
  );

  it("asks if its values contradict its units, and takes the answer", async (context) => {
    const path = written(
      context,
      `dimensions: time = 2 ; variables: double time(time) ; time:units = "days since 2026-10-01" ; double PWV(time) ;
PWV:units = "mm" ; data: time = 0, 1 ; PWV = 0.0123, 0.0125 ;`,
    );
    const asked = await openSeriesFile(path);
    expect(asked).toMatchObject({
      ok: false,
      error: { kind: "undecided", choices: [{ column: "PWV", role: "pwv", unit: "m" }, expect.anything()] },
    });
    const columns = { columns: [{ column: "pwv", role: "pwv", unit: "m" } as const], noValue: null };
    const file = mustSucceed(await openSeriesFile(path, { columns }));
    expect([...file.rows(0).values]).toEqual([12.3, 12.5]);
    expect(file.table?.roles).toEqual([
      { role: "time", unit: null },
      { role: "pwv", unit: "m" },
    ]);
    file.close();
  });
});

function pivoted(context: TestContext, name: string, values: readonly number[]): string {
  const codes = ["KALL", "VILL"].map((code) => `${name}_${code}`);
  // The first one has the unit of both.
  const variables = `${codes.map((code) => `float ${code}(time) ;`).join(" ")} ${codes[0]}:units = "mm" ;`;
  const data = codes.map((code, i) => `${code} = ${values[i]}, ${values[i]} ;`).join(" ");
  return written(
    context,
    `dimensions: time = 2 ; variables: double time(time) ; time:units = "days since 2026-10-01" ; ${variables} data: time = 0, 1 ; ${data}`,
  );
}

it("stations in the names of variables are told by their values, as those of columns", async (context) => {
  const delays = await mustShow(pivoted(context, "ztd", [2404.4, 2391.1]), null);
  expect([delays.labels, delays.variables]).toEqual([
    ["KALL", "VILL"],
    ["ztd", "ztd"],
  ]);
  const biases = await mustShow(pivoted(context, "ztd", [1.2, -0.3]), null);
  expect([biases.labels, biases.variables]).toEqual([
    ["ztd_KALL", "ztd_VILL"],
    [null, null],
  ]);
  const path = pivoted(context, "pwv", [12.4, 11.1]);
  expect(await shown(path, null)).toContain("undecided: “pwv_KALL” may be PWV of the station KALL");
  const columns = { columns: [{ column: "pwv_KALL", role: "pwv" as const, unit: null }], noValue: null };
  expect(await mustShow(path, null, { columns })).toMatchObject({ labels: ["KALL", "VILL"] });
});

const overTime = (units: string, variables: string, data: string): string =>
  `dimensions: time = 2 ; n = 2 ; variables: double time(time) ; time:units = "${units}" ; ${variables} data: time = 0, 300 ; ${data}`;

it.for([
  ["seconds since 1980-01-06", "time=time:GPS time=time:UTC"],
  ["seconds since 2000-01-01 12:00:00", "time=time:TT time=time:UTC"],
])("the scale of %s is asked, which the start of another one is", async ([units, words], context) => {
  const path = written(context, overTime(units ?? "", `double ztd(time) ; ztd:units = "mm" ;`, "ztd = 2400, 2401 ;"));
  expect(await shown(path, null)).toContain(`undecided: The times in “time” are in`);
  expect(await shown(path, null)).toContain(words);
  const columns = { columns: [{ column: "time", role: "time" as const, unit: "UTC" }], noValue: null };
  expect(await mustShow(path, null, { columns })).toMatchObject({ variables: ["ztd"] });
});

it("a statistic of a quantity is another one, by its long name or its cell methods", async (context) => {
  const names = ["pwv", "iwv", "tcwv", "prw"];
  const variables = names.map((name) => `double ${name}(time) ; ${name}:units = "mm" ;`).join(" ");
  const about = `pwv:long_name = "standard deviation of PWV" ; iwv:long_name = "IWV" ; tcwv:cell_methods = "time: maximum" ;
prw:standard_name = "atmosphere_mass_content_of_water_vapor standard_error" ;`;
  const values = names.map((name) => `${name} = 1, 2 ;`).join(" ");
  const { first } = await read(context, overTime("seconds since 2026-01-01", `${variables} ${about}`, values));
  expect(first.map((each) => each.split(" ").slice(0, 2))).toEqual([
    ["iwv", "pwv"],
    ["prw", "prw"],
    ["pwv", "pwv"],
    ["tcwv", "tcwv"],
  ]);
});

it("stations may be numbers", async (context) => {
  const variables = `double ztd(n, time) ; ztd:units = "mm" ; int site_number(n) ;`;
  const values = "ztd = 2400, 2401, 2390, 2391 ; site_number = 17, 21 ;";
  const { labels } = await read(context, overTime("seconds since 2026-01-01", variables, values));
  expect(labels).toEqual(["17", "21"]);
});

it("an interval has the time of its start", async (context) => {
  const variables = `double time_end(time) ; time_end:units = "hours since 2026-10-01" ; double time_start(time) ;
time_start:units = "hours since 2026-10-01" ; double ztd(time) ; ztd:units = "mm" ;`;
  const values = "time_end = 1, 2 ; time_start = 0, 1 ; ztd = 2400, 2401 ;";
  const { times } = await read(context, `dimensions: time = 2 ; variables: ${variables} data: ${values}`);
  expect(times[0]).toBe(START);
});

it("numbers of no value and implausible values of a NetCDF file are noted, as of every file", async (context) => {
  const cdl = `dimensions: time = 4 ; variables: double time(time) ; time:units = "days since 2026-10-01" ;
double ztd(time) ; ztd:units = "m" ; double pwv(time) ; pwv:units = "mm" ; double pressure(time) ; pressure:units = "hPa" ; int count(time) ;
data: time = 0, 1, 2, 3 ; ztd = 24.04, 24.1, 24.2, 24.3 ; pwv = 12, 900, -999.9, 13 ; pressure = 1013, 12, -999, 1012 ; count = -999, 3, 4, 5 ;`;
  const { notes } = await read(context, cdl);
  expect(notes.toSorted()).toEqual([
    "Numbers such as -999.9 mean that there is no value: 3.",
    "Values of “pressure” outside of 400 to 1,100 hPa are implausible, and shown: 1.",
    "Values of “pwv” outside of 0 to 100 mm are implausible, and shown: 1.",
    "Values of “ztd” outside of 1,000 to 3,000 mm are implausible, and shown: 4.",
  ]);
});

it("of a long series, values at its start, middle and end tell what the others are like", async (context) => {
  const steps = Array.from({ length: 4_000 }, (_, i) => i);
  const pwv = steps.map((i) => (i === 2_000 || i === 3_999 ? 900 : 12));
  const { notes } = await read(
    context,
    `dimensions: time = 4000 ; variables: double time(time) ; time:units = "minutes since 2026-10-01" ;
double pwv(time) ; pwv:units = "mm" ; data: time = ${steps.join()} ; pwv = ${pwv.join()} ;`,
  );
  expect(notes).toEqual([
    "Values of “pwv” outside of 0 to 100 mm are implausible, and shown, among those looked at: 2.",
  ]);
});

it("times from the year 0 are refused, which is none of the standard calendar", async (context) => {
  const cdl = (calendar: string): string =>
    written(
      context,
      `dimensions: time = 2 ; variables: double time(time) ; time:units = "days since 0000-01-01" ; ${calendar}
double pwv(time) ; pwv:units = "mm" ; data: time = 740255, 740256 ; pwv = 12, 13 ;`,
    );
  expect(await shown(cdl(""), null)).toMatch(/^unreadable: .*“time” counts from the year 0.*(write another start)/);
  expect((await mustShow(cdl('time:calendar = "proleptic_gregorian" ;'), null)).times[0]).toBe(START);
});
