import { writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { parquetWriteBuffer } from "hyparquet-writer";
import { expect, it, type TestContext } from "vitest";
import * as XLSX from "xlsx";
import { openSeriesFile } from "../../support/openSeriesFile.ts";
import { scratchFolder } from "../tools.ts";
import { generatedFrom, mustShow } from "./support.ts";

// Every answer that is offered to a question opens the file, whatever it is a file of.

const folder = scratchFolder();
/** Times in a zone with two possible differences from UTC, and PWV in one of two units. */
const NAMES = ["Zeit (CET)", "pwv", "ztd_mm"] as const;
const ROWS = [0, 1, 2].map((hour) => [`2026-12-01 0${hour}:00:00`, 0.1 + hour / 10, 2_401 + hour] as const);
const PWV = ROWS.map(([, pwv]) => pwv);

const FILES: Readonly<Record<string, (context: TestContext, path: string) => void>> = {
  text: (_, path) => writeFileSync(path, [NAMES, ...ROWS].map((row) => `${row.join(",")}\n`).join("")),
  Excel: (_, path) => {
    const book = XLSX.utils.book_new();
    XLSX.utils.book_append_sheet(
      book,
      XLSX.utils.aoa_to_sheet([["Kallio"], [...NAMES], ...ROWS.map((row) => [...row])]),
    );
    writeFileSync(path, XLSX.write(book, { type: "buffer", bookType: "xlsx" }) as Buffer);
  },
  Parquet: (_, path) => {
    const columnData = NAMES.map((name, at) => ({ name, data: ROWS.map((row) => row[at]) }));
    writeFileSync(path, new Uint8Array(parquetWriteBuffer({ columnData })));
  },
  SQLite: (_, path) => {
    const db = new Database(path);
    db.exec(`CREATE TABLE obs (${NAMES.map((name) => `"${name}"`).join()})`);
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
