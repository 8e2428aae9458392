import { writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { parquetWriteBuffer } from "hyparquet-writer";
import { expect, it, type TestContext } from "vitest";
import * as XLSX from "xlsx";
import { ColumnChoices } from "#main/app/files/columns.ts";
import type { ChosenColumn } from "#shared/file/columns.ts";
import { openSeriesFile } from "../../support/openSeriesFile.ts";
import { scratchFolder } from "../tools.ts";
import { generatedFrom, mustShow, shown } from "./support.ts";

// Every answer that is offered to a question opens the file, whatever it is a file of. It is kept for files with the same
// header that ask the same, and holds for no file that says something else.

const folder = scratchFolder();
/** Times in a zone with two possible differences from UTC, and PWV in one of two units. */
const NAMES = ["Zeit (CET)", "pwv", "ztd_mm"] as const;
const ROWS = [0, 1, 2].map((hour) => [`2026-12-01 0${hour}:00:00`, 0.1 + hour / 10, 2_401 + hour] as const);
const PWV = ROWS.map(([, pwv]) => pwv);

const FILES: Readonly<Record<string, (context: TestContext, path: string, names?: readonly string[]) => void>> = {
  text: (_, path, names = NAMES) => writeFileSync(path, [names, ...ROWS].map((row) => `${row.join(",")}\n`).join("")),
  Excel: (_, path, names = NAMES) => {
    const book = XLSX.utils.book_new();
    XLSX.utils.book_append_sheet(
      book,
      XLSX.utils.aoa_to_sheet([["Kallio"], [...names], ...ROWS.map((row) => [...row])]),
    );
    writeFileSync(path, XLSX.write(book, { type: "buffer", bookType: "xlsx" }) as Buffer);
  },
  Parquet: (_, path, names = NAMES) => {
    const columnData = names.map((name, at) => ({ name, data: ROWS.map((row) => row[at]) }));
    writeFileSync(path, new Uint8Array(parquetWriteBuffer({ columnData })));
  },
  SQLite: (_, path, names = NAMES) => {
    const db = new Database(path);
    db.exec(`CREATE TABLE obs (${names.map((name) => `"${name}"`).join()})`);
    for (const row of ROWS) db.prepare("INSERT INTO obs VALUES (?, ?, ?)").run(...row);
    db.close();
  },
  NetCDF: (context, path) => {
    generatedFrom(
      context,
      path,
      `dimensions: time = 3 ; variables: double time(time) ; time:units = "hours since 2026-12-01" ;
time:long_name = "time in CET" ; double pwv(time) ; data: time = 0, 1, 2 ; pwv = ${PWV.join()} ;`,
    );
  },
  SINEX_TRO: (_, path) =>
    writeFileSync(
      path,
      `%=TRO 2.00 XXX 2026:335:00000 XXX 2026:335:00000 2026:336:00000 P MIX
+TROP/DESCRIPTION
 TIME SYSTEM                   GLO
 TROPO PARAMETER NAMES         TROTOT
 TROPO PARAMETER UNITS         1e+03
-TROP/DESCRIPTION
+TROP/SOLUTION
*STATION__ ____EPOCH_____ TROTOT
${PWV.map((pwv, hour) => ` KALL00FIN 2026:335:0${hour * 3_600 || "0000"} ${2 + pwv}\n`).join("")}-TROP/SOLUTION
%=ENDTRO
`,
    ),
};

for (const [kind, write] of Object.entries(FILES))
  it(`every answer that is offered for a file opens it: ${kind}`, async (context) => {
    const path = join(folder, kind);
    write(context, path);
    const asked = await openSeriesFile(path);
    if (asked.ok) throw new Error("nothing was asked");
    const choices = Map.groupBy(asked.error.choices ?? [], ({ column }) => column);
    const [first = [], second = []] = choices.values();
    expect([first.length, second.length]).toEqual([2, 2]);
    for (const columns of first.flatMap((one) => second.map((other) => [one, other]))) {
      const { times } = await mustShow(path, null, { columns: { columns, noValue: null } });
      expect(times).toHaveLength(3);
    }
  });

for (const kind of ["text", "Excel", "Parquet", "SQLite"])
  it(`a file that asks nothing has columns that can be chosen: ${kind}`, async (context) => {
    const path = join(folder, `clear ${kind}`);
    FILES[kind]?.(context, path, ["time", "pwv_mm", "ztd_mm"]);
    const opened = await openSeriesFile(path);
    if (!opened.ok) throw new Error(opened.error.message);
    expect(opened.value.table?.roles).toEqual([
      { role: "time", unit: null },
      { role: "pwv", unit: "mm" },
      { role: "ztd", unit: "mm" },
    ]);
  });

const answer = (column: string, role: ChosenColumn["role"], unit: string | null): ChosenColumn => ({
  column,
  role,
  unit,
});
const times = (zone: string): string => [0, 1].map((hour) => `2026-06-15 0${hour}:00${zone},2401.${hour}\n`).join("");
const inZone = (zone: string, comment = ""): string => `${comment}time,ztd_mm\n${times(zone)}`;
const pwv = (...values: readonly number[]): string =>
  `time,pwv\n${values.map((value, hour) => `2026-06-15T0${hour}:00Z,${value}\n`).join("")}`;
const dates = (...days: readonly string[]): string => `date,ztd_mm\n${days.map((day) => `${day},2401\n`).join("")}`;
const MEZ = inZone("", "# Zeiten in MEZ\n");
const [UTC_PLUS_1, AS_STATED] = ["2026-06-14T23:00", "2026-06-15T00:00"];
const NOT_USED = "Your earlier answer for this header is not used";

/** An earlier file, the answer to what it asks, a later file, and its first time and value, or what is said. */
const KEPT: readonly (readonly [name: string, string, ChosenColumn, string, RegExp | string])[] = [
  ["the same", MEZ, answer("time", "time", "UTC+1"), MEZ.replaceAll("2401", "2402"), `${UTC_PLUS_1} 2402`],
  ["times in UTC by their fields", MEZ, answer("time", "time", "UTC+1"), inZone("Z"), `${AS_STATED} 2401`],
  [
    "times in UTC by a comment",
    MEZ,
    answer("time", "time", "UTC+1"),
    inZone("", "# times in UTC\n"),
    `${AS_STATED} 2401`,
  ],
  ["no zone", MEZ, answer("time", "time", "UTC+1"), inZone(""), `${AS_STATED} 2401`],
  [
    "another zone",
    MEZ,
    answer("time", "time", "UTC+1"),
    inZone("", "# Heures locales\n"),
    /^undecided: .*time as time in UTC\+1/,
  ],
  ["what it asks with other values", pwv(0.1, 0.2), answer("pwv", "pwv", "mm"), pwv(0.1, 0.3), "2026-06-15T00:00 0.1"],
  [
    "values in another unit",
    pwv(0.1, 0.2),
    answer("pwv", "pwv", "mm"),
    pwv(0.02, 0.021),
    /^undecided: .*pwv as pwv in mm/,
  ],
  ["a unit", pwv(0.1, 0.2), answer("pwv", "pwv", "mm"), `# pwv in cm\n${pwv(0.1, 0.2)}`, "2026-06-15T00:00 1"],
  [
    "dates in the same order",
    dates("05/06/2026", "06/06/2026"),
    answer("date", "dayFirst", null),
    dates("07/06/2026", "08/06/2026"),
    "2026-06-07T00:00 2401",
  ],
  [
    "dates in another order",
    dates("05/06/2026", "06/06/2026"),
    answer("date", "dayFirst", null),
    dates("06/15/2026", "06/16/2026"),
    "2026-06-15T00:00 2401",
  ],
  [
    "nothing on a column",
    "time,trop\n2026-06-15,2.401\n",
    answer("trop", "ztd", "m"),
    "time,trop\n2026-06-16,2.402\n",
    "2026-06-16T00:00 2402",
  ],
];

it.each(KEPT)("a kept answer is the one for a file that says %s", async (_, first, chosen, second, expected) => {
  const path = join(folder, "kept.csv");
  const settings = new Map<string, string>();
  const choices = new ColumnChoices({
    setting: (name) => settings.get(name) ?? null,
    putSetting: (name, value) => void settings.set(name, value ?? ""),
  });
  const now = choices.answering();
  await mustShow(path, first, { columns: { columns: [chosen], noValue: null }, remembered: now.remembered });
  now.save();
  const found = await shown(path, second, { remembered: choices.answering().remembered });
  const text = typeof found === "string" ? found : [found.first[0], ...found.notes].join();
  expect(text).toMatch(expected);
  expect(text.includes(" as chosen")).toBe(!text.includes(NOT_USED));
});
