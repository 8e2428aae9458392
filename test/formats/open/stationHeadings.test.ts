import { join } from "node:path";
import { expect, it } from "vitest";
import type { ColumnRole } from "#shared/file/columns.ts";
import { scratchFolder } from "../tools.ts";
import { openedSeries, type Shown, shown } from "./support.ts";

// Stations in the names of columns, as pandas (pivot, unstack) and users of spreadsheets write them.

const folder = scratchFolder();
const open = (heading: string, row: string, unit?: string) => {
  const text = `${heading}\n2026-01-01 00:00,${row}\n2026-01-01 00:05,${row}\n`;
  const columns = unit === undefined ? [] : [{ column: 1, role: "pwv" as const, unit }];
  return shown(join(folder, "wide.csv"), text, unit === undefined ? {} : { columns: { columns, noValue: null } });
};
const [KALL, MAST] = ["KALL ztd mm 2026-01-01T00:00 2404.4", "MAST ztd mm 2026-01-01T00:00 2391.1"];

it.each([
  ["time,ztd_KALL,ztd_MAST", "2404.4,2391.1"],
  ["time,ztd KALL [m],ztd MAST [m]", "2.4044,2.3911"],
  ["time,ztd_1LSU,ztd_KALL,ztd_MAST", ",2404.4,2391.1"],
  ["Epoch,KALL.ZTD (mm),MAST.ZTD (mm)", "2404.4,2391.1"],
  [`time,"('ztd', 'KALL')","('ztd', 'MAST')"`, "2404.4,2391.1"],
  [",ztd,ztd\nstation,KALL,MAST\ntime,,", "240.44,239.11"],
  [",ztd,ztd\n,m,m\n,KALL,MAST\ntime,,", "2.4044,2.3911"],
  [",KALL,MAST\nTime,ZTD,ZTD\nUTC,m,m", "2.4044,2.3911"],
  [`time,"ztd {station=""KALL""}","ztd {station=""MAST"", job=""gnss""}"`, "2.4044,2.3911"],
])("are read: %s", async (heading, row) => {
  const { first } = (await open(heading, row)) as Shown;
  expect(first.slice(-2)).toEqual([KALL, MAST]);
});

it("may have other quantities beside the same codes", async () => {
  expect(await open("time,PRES KALL00FIN,ZTD KALL00FIN,ZTD MAST00SWE", "990.1,2404.4,2391.1")).toMatchObject({
    first: [
      "KALL00FIN PRES null 2026-01-01T00:00 990.1",
      ...[KALL, MAST].map((each, i) => each.replace(" ", ["00FIN ", "00SWE "][i]!)),
    ],
  });
});

it.each([
  ["time,ztd_DIFF,ztd_CORR", "-3.2,0.98"],
  ["time,ztd_MAXI,ztd_BIAS", "2404.4,1.2"],
  ["time,ztd_BIAS,pwv_BIAS", "-0.2,1.2"],
  ["time,ztd_kallio,ztd_masthugget", "2404.4,2391.1"],
  ["time,PRES,MSLP", "1013.2,1014.5"],
  ["time,KALL,MAST", "2.4044,2.3911"],
])("are not assumed of other words and values: %s", async (heading, row) => {
  expect(await open(heading, row)).toMatchObject({ variables: [null, null], labels: ["wide", "wide"] });
});

const NUMBER = "number:null";
it.each([
  ["time,ZTD 00UT,ZTD 12UT", "2404.4,2391.1", "ZTD 00UT=ztd:mm"],
  ["time,ztd_SDEV,ztd_RMSE", "1.2,2.3", "ztd_SDEV=ztd:m"],
  ["time,pwv_KALL,pwv_RMSE", "12.3,2.3", "pwv_KALL=pwv:mm"],
  ["time,KALL,1LSU", "2404.4,2391.1", "KALL=ztd:mm"],
])("are asked if the values fit other words, too: %s", async (heading, row, choice) => {
  const asked = await open(heading, row);
  const [first = ""] = choice.split("=");
  expect(asked).toMatch(new RegExp(`^undecided: .* ${choice} ${first}=${NUMBER}$`));
  const [role = "", unit = ""] = choice.slice(first.length + 1).split(":");
  const answered = async (own: string, of: string | null) =>
    (await shown(join(folder, "wide.csv"), null, {
      columns: { columns: [{ column: first, role: own as ColumnRole, unit: of }], noValue: null },
    })) as Shown;
  const [, ...labels] = heading.split(",").map((name) => name.slice(-4));
  expect(await answered(role, unit)).toMatchObject({ labels, variables: [role, role] });
  expect(await answered("number", null)).toMatchObject({ labels: ["wide", "wide"], variables: [null, null] });
});

it.each([
  ["ZTD [m]", "2.4044,2.3911", "KALL=ztd:m"],
  ["PWV [mm]", "18.2,3.4", "KALL=pwv:mm"],
])("are asked as what a title states: %s", async (title, row, choice) => {
  expect(await open(`# ${title}\ntime,KALL,MAST`, row)).toMatch(new RegExp(`^undecided: .* ${choice} KALL=${NUMBER}$`));
});

it("are ids of stations if no model has such a name", async () => {
  await open("time,ZTD ERA5,ZTD KALL00FIN", "2404.4,2391.1");
  const { series } = await openedSeries(join(folder, "wide.csv"));
  expect(series.map(({ label, stationId }) => [label, stationId])).toEqual([
    ["ERA5", null],
    ["KALL00FIN", "KALL00FIN"],
  ]);
});

it("are not all at the place in the rows", async () => {
  const { position } = (await open("time,ztd KALL,ztd MAST,lat,lon", "2404.4,2391.1,60.1,24.9")) as Shown;
  expect(position).toBeNull();
  const only = (await open("time,ztd KALL,pwv KALL,lat,lon", "2404.4,12.1,60.1,24.9")) as Shown;
  expect(only.position).toMatchObject({ latitudeDeg: 60.1 });
});

it("have one unit for each quantity, which is asked once", async () => {
  const heading = "time,pwv_KALL,pwv_MAST";
  expect(await open(heading, "1.2,1.3")).toBe(
    "undecided: “pwv_KALL” may be PWV of the station KALL, or a statistic or level of it: its values fit both. pwv_KALL=pwv:mm pwv_KALL=pwv:cm",
  );
  expect(await open(heading, "1.2,1.3", "cm")).toMatchObject({
    first: ["KALL pwv mm 2026-01-01T00:00 12", "MAST pwv mm 2026-01-01T00:00 13"],
  });
});
