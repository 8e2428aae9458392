import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ChosenColumn, ChosenColumns } from "#shared/file/columns.ts";
import type { OpenOptions } from "#formats/open/index.ts";
import { openSeriesFile } from "../../support/openSeriesFile.ts";
import { scratchFolder } from "../tools.ts";
import { type Shown, shown } from "./support.ts";

const folder = scratchFolder();
const START = Date.UTC(2026, 0, 31, 6, 30);

const read = (text: string, name = "table.txt", options: OpenOptions = {}): Promise<Shown | string> =>
  shown(join(folder, name), text, options);

const rowsOf = (ztd: number, from = 6): string[] => [0, 1, 2].map((i) => `2026-01-31 0${from + i}:00,${ztd + i}`);
const BLOCKS = { A: rowsOf(2_400), B: rowsOf(2_150), C: rowsOf(2_500, 3) };

const TIMES = [START, START + 1_800_000];
const VALUES = [2_345.6, 2_346.5];

describe("a table of text", () => {
  it.each([
    ["commas", "time,station,ZTD (mm)\n2026-01-31T06:30:00Z,KALL,2345.6\n2026-01-31 07:00,KALL,2346.5\n"],
    ["Excel in German", 'Time;Site;"ZTD [m]"\r\n2026-01-31 06:30;"KALL";2,3456\r\n2026-01-31 07:00;"KALL";2,3465\r\n'],
    ["tabs", "station\tdate\ttime\tztd_mm\nKALL\t2026/01/31\t06:30\t2345.6\nKALL\t20260131\t0700\t2346.5\n"],
    [
      "spaces, names in a comment",
      "# made by hand\n# site year doy sod ztd\n\nKALL 2026 31 23400 2345.6\n KALL  2026  031  25200  2346.5\n",
    ],
    ["parts of a date", "stat yyyy q mo dd hh mi ztd_m\nKALL 2026 0 1 31 6 30 2.3456\nKALL 2026 0 1 31 7 0 2.3465\n"],
    ["modified Julian dates", "mjd,code,ztd\n61071.270833333336,KALL,2345.6\n61071.291666666664,KALL,2346.5\n"],
    ["epochs as in SINEX", "epoch;station;ztd_mm\n2026:031:23400;KALL;2345.6\n2026:031:25200;KALL;2346.5\n"],
    ["seconds since 1970", "unix_time,station,ztd_mm\n1769841000,KALL,2345.6\n1769842800,KALL,2346.5\n"],
  ])("is read by its column names: %s", async (_, text) => {
    const found = await read(text);
    expect(found).toMatchObject({ labels: expect.arrayContaining(["KALL"]), times: TIMES });
    const { values, variables } = found as Shown;
    expect(variables).toContain("ztd");
    expect(values.map((value) => Math.round(value * 10) / 10)).toEqual(VALUES);
  });

  it.each([
    ["ztd_m", "2.3456", "ztd", 2_345.6],
    ["ZTD", "2.3456", "ztd", 2_345.6],
    ["ztd", "2345.6", "ztd", 2_345.6],
    ["ZTD_cm", "234.56", "ztd", 2_345.6],
    ["ztd (m)", "2.3456", "ztd", 2_345.6],
    ["PWV [m]", "0.0213", "pwv", 21.3],
    ["IWV (kg m-2)", "21.3", "pwv", 21.3],
    ["ztd_std_m", "0.0021", "ztd_sigma", 2.1],
    ["zenith_total_delay_mm", "2345.6", "ztd", 2_345.6],
    ["pressure_hPa", "1013.2", null, 1_013.2],
    ["mean_deg", "12.5", null, 12.5],
  ])(
    "has the same quantity in %s if its other columns are those of an export",
    async (name, field, variable, value) => {
      // Pandas and R keep the columns of an exported table.
      const forms = ["station,time", "station_id,time", "station_id,station_name,time"].map(async (columns, i) => {
        const station = i === 2 ? "KALL,Kallio" : "KALL";
        const path = join(folder, `own-${i}.csv`);
        writeFileSync(path, `${columns},${name}\n${station},2026-01-31 06:30:00+00:00,${field}\n`);
        const opened = await openSeriesFile(path, {});
        if (!opened.ok) throw new Error(opened.error.message);
        const { series, notes } = opened.value;
        const [first] = opened.value.rows(0).values;
        opened.value.close();
        const { longName: _, ...quantity } = series[0]!.quantity;
        return {
          quantity,
          value: Math.round(first! * 1e6) / 1e6,
          unitNotes: notes.filter((n) => n.includes(" by its ")),
        };
      });
      const [plain, ...own] = await Promise.all(forms);
      expect(plain).toMatchObject({ quantity: { variable }, value });
      expect(own).toEqual([plain, plain]);
      expect(plain!.unitNotes).toHaveLength(/^ztd$/i.test(name) ? 1 : 0);
    },
  );

  it("is read with notes on assumptions, and with its unknown columns", async () => {
    const found = (await read("time,ztd,temperature\n2026-01-31T06:30Z,2.3456,-3.5\n", "Kallio north.csv")) as Shown;
    expect(found).toMatchObject({ labels: ["Kallio north", "Kallio north"], variables: ["ztd", null] });
    const decided =
      "A table separated by commas; times state their differences from UTC; ztd is ZTD in m by its only value of 2.3456.";
    expect(found.notes).toContain(decided);
  });

  it("is read without fill values, with notes on invalid numbers and skipped lines", async () => {
    const rows = ["KALL,2026-01-31,2345", "KALL,2026-02-01,-999.9", "KALL,2026-02-02,NaN", "KALL,2026-02-03,x"];
    const found = (await read(["site,date,ztd_mm", ...rows, "KALL,yesterday,1", "short"].join("\n") + "\n")) as Shown;
    expect(found.values).toEqual([2_345, Number.NaN, Number.NaN, Number.NaN]);
    expect(found.notes).toContain("Fields that are not numbers are shown as missing: 1.");
    expect(found.notes).toContain("Lines without a time that can be read are left out: 1.");
    expect(found.notes).toContain("Lines with another number of fields than the first one are left out: 1.");
  });

  it.each([
    ["fractions of a day of the year", "year,doy,ztd_mm\n2026,31.25,2345.6\n2026,31.5,2346.5\n", 6, 12],
    ["fractions of a day of the month", "year,month,day,ztd_mm\n2026,1,31.25,2345.6\n2026,1,31.5,2346.5\n", 6, 12],
    [
      "a date and a second of day",
      "date,second_of_day,ztd_mm\n2026-01-31,21600,2345.6\n2026-01-31,43200,2346.5\n",
      6,
      12,
    ],
    [
      "a date, an hour and a minute",
      "date,hour,minute,ztd_mm\n2026-01-31,5,60,2001\n2026-01-31,6,0,2002\n2026-01-31,6,30,2003\n",
      6,
      6.5,
    ],
    [
      "a date and clock times named hour",
      "date,hour,ztd_mm\n2026-01-31,06:00,2345.6\n2026-01-31,06:30,2346.5\n",
      6,
      6.5,
    ],
    ["a time and its hour", "time,hour,ztd_mm\n2026-01-31T06:00Z,6,2345.6\n2026-01-31T06:30Z,6,2346.5\n", 6, 6.5],
    ["a whole MJD and a second of day", "mjd,sod,ztd_mm\n61071,21600,2345.6\n61071,43200,2346.5\n", 6, 12],
    ["a fractional MJD beside the same second", "mjd,sod,ztd_mm\n61071.25,21600,2345.6\n61071.5,43200,2346.5\n", 6, 12],
    ["years of two digits", "year,doy,hour,ztd_mm\n26,31,6,2345.6\n26,31,12,2346.5\n", 6, 12],
    ["milliseconds since 1970", "unix_time,ztd_mm\n1769839200000,2345.6\n1769860800000,2346.5\n", 6, 12],
    [
      "an offset in heading and fields",
      "time (UTC+1),ztd_mm\n2026-01-31T06:00Z,2345.6\n2026-01-31T12:00Z,2346.5\n",
      6,
      12,
    ],
    ["separators after the last column", "time,ztd_mm\n2026-01-31 06:00,2345.6,,\n2026-01-31 12:00,2346.5,,\n", 6, 12],
    ["line ends of old Macintoshes", "time,ztd_mm\r2026-01-31 06:00,2345.6\r2026-01-31 12:00,2346.5\r", 6, 12],
    [
      "more digits than milliseconds",
      "time,ztd_mm\n2026-01-31T05:59:59.9996Z,2002\n2026-01-31T12:00:00.0004Z,2003\n",
      6,
      12,
    ],
  ])("is read with %s", async (_, text, firstHour, secondHour) => {
    const found = (await read(text)) as Shown;
    expect(found.times).toEqual([firstHour, secondHour].map((hour) => Date.UTC(2026, 0, 31) + hour * 3_600_000));
  });

  it.each<readonly [name: string, text: string, labels: readonly string[], values: readonly number[]]>([
    ["without a heading", "time,ztd\nA\nB", ["own part 1", "own part 2"], [2_400, 2_401, 2_402]],
    ["below an empty line", "time,ztd\nA\n\nB", ["own part 1", "own part 2"], [2_400, 2_401, 2_402]],
    ["below a repeated heading", "time,ztd\nA\ntime,ztd\nB", ["own part 1", "own part 2"], [2_400, 2_401, 2_402]],
    ["at the same station", "time,ztd,site\nAK\nBK", ["KALL part 1", "KALL part 2"], [2_400, 2_401, 2_402]],
    ["with the same values", "time,ztd\nA\nA", ["own"], [2_400, 2_400, 2_401, 2_401, 2_402, 2_402]],
    ["at earlier times", "time,ztd\nA\nC", ["own"], [2_500, 2_501, 2_502, 2_400, 2_401, 2_402]],
  ])("has a series for each part that begins again in time: %s", async (_, text, labels, values) => {
    const filled = text.replaceAll(/^([ABC])(K?)$/gm, (_line, block: "A" | "B" | "C", isNamed: string) =>
      BLOCKS[block].map((row) => (isNamed ? `${row},KALL` : row)).join("\n"),
    );
    expect(await read(filled, "own.csv")).toMatchObject({ labels, values });
  });

  it("tells stations of one name apart by their identifiers", async () => {
    const rows = ["K1,Kallio", "K2,Kallio", "S1,Sodankylä"].map((station) => `${station},2026-01-31T06:30:00Z,2345`);
    expect(await read(`station_id,station_name,time,ztd_mm\n${rows.join("\n")}\n`)).toMatchObject({
      labels: ["Kallio (K1)", "Kallio (K2)", "Sodankylä"],
    });
  });

  it("is read without rows whose date or time of day does not exist", async () => {
    for (const wrong of ["2026,2,30,1,0,0,1", "2026,13,1,0,0,0,2", "2026,1,31,25,0,0,3", "2026,1,31,1,75,0,4"]) {
      const text = `year,month,day,hour,minute,second,ztd_mm\n2026,1,31,6,30,0,2345.6\n${wrong}\n`;
      const found = (await read(text)) as Shown;
      expect(found.times).toEqual([START]);
      expect(found.notes).toContain("Lines without a time that can be read are left out: 1.");
    }
    const ofYear = (await read("year,doy,ztd_mm\n2024,366,2001\n2023,366,2002\n2023,400,2003\n")) as Shown;
    expect(ofYear.times).toEqual([Date.UTC(2024, 11, 31)]);
  });

  it("is read with a column named min beside max as the minimum, and not as minutes", async () => {
    const found = (await read("year,doy,hour,min,max,ztd_mm\n2026,31,6,10.5,20.5,2345.6\n")) as Shown;
    expect(found.times).toEqual([Date.UTC(2026, 0, 31, 6)]);
  });

  it("has no position if it changes", async () => {
    const found = (await read(
      "time,station,lat,lon,ztd_mm\n2026-01-31,A,50,10,2001\n2026-02-01,A,60,20,2002\n",
    )) as Shown;
    expect(found.position).toBeNull();
    expect(found.notes.join(" ")).toContain("Positions that change are not shown: “A”.");
    const same = (await read(
      "time,station,lat,lon,ztd_mm\n2026-01-31,A,50,-10,2001\n2026-02-01,A,50.001,350,2002\n",
    )) as Shown;
    expect(same.notes.join(" ")).not.toContain("ositions");
  });

  it("is read with positions, and with quoted names that contain separators", async () => {
    const found = await read(
      'time,station,lat,lon,height,pwv_mm\n2026-01-31,"Kallio, ""north""",60.18,355.5,23.4,9.1\n',
    );
    expect(found).toMatchObject({
      labels: ['Kallio, "north"'],
      variables: ["pwv"],
      position: { latitudeDeg: 60.18, longitudeDeg: -4.5, heights: [{ metres: 23.4, above: "unknown" }] },
    });
  });

  it.each([
    ["no column names", "2026-01-31,1\n2026-02-01,2\n"],
    ["no numbers", "time\n2026-01-31\n"],
    ["prose", "Dear colleague,\nthe time has come.\n"],
  ])("is rejected with a suggestion: %s", async (_, text) => {
    expect(await read(text)).toMatch(/Give it a first line such as/);
  });

  it.each([
    ["60 lines of comments", "# Made by hand, with a comment of some length on every station.\n".repeat(70), 0],
    ["400 columns", "", 400],
    ["2,000 columns with long names", "", 2_000],
  ])("is read whatever the size of its head: %s", async (_, comments, columns) => {
    const more = Array.from({ length: columns }, (_empty, i) => `humidity_of_level_${i}`);
    const row = (time: string, ztd: number): string => [time, ztd, ...more.map((_name, i) => i)].join(",");
    const rows = [row("2026-01-31T06:30Z", 2_345.6), row("2026-01-31T07:00Z", 2_346.5)];
    // The last line has no end.
    const found = await read(`${comments}${["time,ztd_mm", ...more].join(",")}\n${rows.join("\n")}`);
    expect(found).toMatchObject({ times: TIMES, values: VALUES });
  });

  it.each([
    ["a heading", "time,station,ztd_mm\n", /a heading and no rows. It names “time”, “station”, “ztd_mm”\.$/],
    ["a heading of 300 columns", `time,${"ztd_of_station,".repeat(300)}end`, /a heading and no rows/],
    ["a heading in a comment", "# year doy sod ztd\n", /a heading and no rows. It names “year”, “doy”, “sod”, “ztd”/],
    ["a heading of our own export", "station_id,station_name,time,ztd_mm\n", /a heading and no rows/],
    [
      "rows that are wider than the heading",
      "time,ztd_mm\n2026-01-31,1,2\n",
      /names 2 columns, and its first row has 3/,
    ],
    ["dates without a year", "date,ztd\n31.01.,2345\n", /such as “31\.01\.” in the column “date”/],
    ["times without values", "time,latitude\n2026-01-31,5\n", /no column of values beside its time/],
    ["a line without end", "x".repeat(5_000_000), /does not end within 4 MB/],
  ])("is rejected with the reason: %s", async (_, text, reason) => {
    expect(await read(text)).toMatch(reason);
  });
});

/** `name=role:unit`, or `#index=role`, separated by spaces. */
function choose(words: string, noValue: string | null = null): ChosenColumns {
  const columns = words.split(" ").map((word) => {
    const [column = "", role = "", unit = null] = word.split(/[=:]/);
    return { column: column.startsWith("#") ? Number(column.slice(1)) : column, role, unit } as ChosenColumn;
  });
  return { columns, noValue };
}

describe("columns chosen by the user", () => {
  it.each([
    [
      "meaningless names",
      "t,s,trop\n2026-01-31 06:30,KALL,2.3456\n2026-01-31 07:00,KALL,2.3465\n",
      "t=time s=station trop=ztd:m",
    ],
    [
      "the day first, a clock",
      "d;c;s;x\n31.01.2026;06:30;KALL;2345,6\n31.1.2026;7:00;KALL;2346,5\n",
      "d=dayFirst c=clock s=station x=ztd",
    ],
    [
      "the day first, beside a time that is named",
      "date;time;s;x\n31.01.2026;06:30;KALL;2345,6\n31.1.2026;07:00;KALL;2346,5\n",
      "date=dayFirst s=station x=ztd",
    ],
    [
      "the month first",
      "t\ts\tx\n1/31/2026 06:30\tKALL\t2345.6\n01/31/2026 07:00\tKALL\t2346.5\n",
      "t=monthFirst s=station x=ztd:mm",
    ],
    [
      "no column names",
      "KALL 2026 31 6.5 234.56\nKALL 2026 31 7 234.65\n",
      "1=station 2=year 3=dayOfYear 4=hour 5=ztd:cm",
    ],
    [
      "indices instead of names",
      "KALL 2026-01-31T06:30Z 2345.6\nKALL 2026-01-31T07:00Z 2346.5\n",
      "#0=station #1=time #2=ztd",
    ],
    [
      "a column with a misleading name",
      "time,upload_date,station,ztd_mm\nx,2026-01-31T06:30Z,KALL,2345.6\ny,2026-01-31T07:00Z,KALL,2346.5\n",
      "upload_date=time",
    ],
  ])("are read: %s", async (_, text, words) => {
    const found = (await read(text, "chosen.txt", { columns: choose(words) })) as Shown;
    expect(found).toMatchObject({ times: TIMES, values: VALUES });
    expect(found.labels[0]).toBe("KALL");
    expect(found.notes).toContainEqual(expect.stringMatching(/^Columns are read as chosen: .*\.$/));
  });

  it("may have decimal years and a chosen fill value", async () => {
    const columns = choose("t=decimalYear w=pwv:m e=none", "-1");
    const found = (await read("t,w,e\n2026.5,0.0124,x\n2026.75,-1.000,y\n", "year.txt", { columns })) as Shown;
    expect(found).toMatchObject({ variables: ["pwv"], times: [Date.UTC(2026, 6, 2, 12), Date.UTC(2026, 9, 1, 18)] });
    expect(found.values).toEqual([12.4, Number.NaN]);
    expect(found.notes.join(" ")).not.toContain("missing");
  });

  it.each([
    ["q=ztd t=time", /There is no column “q”\. There are “t”, “s”, “x”/],
    ["t=none x=ztd", /No column is chosen that tells the date/],
    ["t=time x=none s=station", /No column is chosen that has values/],
    ["t=time s=time x=ztd", /Two columns are chosen as time/],
    ["t=mjd x=ztd", /no row with a readable time/],
  ])("are rejected with a message: %s", async (words, message) => {
    expect(
      await read("t,s,x\n2026-01-31,KALL,2345\n2026-02-01,KALL,2346\n", "r.txt", { columns: choose(words) }),
    ).toMatch(message);
  });

  it("are requested if the table has no readable time", async () => {
    const path = join(folder, "undecided.txt");
    writeFileSync(
      path,
      "# made by hand\nwhen,site,ZTD (m),lat\n02/01/2026,KALL,2.3456,60.1\n03/01/2026,KALL,2.3465,60.1\n",
    );
    const opened = await openSeriesFile(path);
    expect(opened).toMatchObject({
      ok: false,
      error: {
        asked: {
          table: {
            header: "when,site,ZTD (m),lat",
            names: ["when", "site", "ZTD (m)", "lat"],
            rows: [
              ["02/01/2026", "KALL", "2.3456", "60.1"],
              ["03/01/2026", "KALL", "2.3465", "60.1"],
            ],
            roles: [
              { role: "none", unit: null },
              { role: "station", unit: null },
              { role: "ztd", unit: "m" },
              { role: "latitude", unit: null },
            ],
          },
        },
      },
    });
  });
});
