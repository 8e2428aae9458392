import { join } from "node:path";
import { expect, it } from "vitest";
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
  ["Epoch,KALL.ZTD (mm),MAST.ZTD (mm)", "2404.4,2391.1"],
  [`time,"('ztd', 'KALL')","('ztd', 'MAST')"`, "2.4044,2.3911"],
  [",ztd,ztd\nstation,KALL,MAST\ntime,,", "2.4044,2.3911"],
  [",ztd,ztd\n,m,m\n,KALL,MAST\ntime,,", "2.4044,2.3911"],
  [",KALL,MAST\nTime,ZTD,ZTD\nUTC,m,m", "2.4044,2.3911"],
  [`time,"ztd {station=""KALL""}","ztd {station=""MAST"", job=""gnss""}"`, "2.4044,2.3911"],
])("are read: %s", async (heading, row) => {
  expect(await open(heading, row)).toMatchObject({ first: [KALL, MAST] });
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
  "time,ztd_DIFF,ztd_CORR",
  "time,ZTD 00UT,ZTD 12UT",
  "time,ZTD 500M,ZTD 850M",
  "time,ztd_kallio,ztd_masthugget",
])("are not assumed of other words: %s", async (heading) => {
  expect(await open(heading, "2404.4,2391.1")).toMatchObject({ variables: [null, null], labels: ["wide", "wide"] });
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
    "undecided: “pwv_KALL” has no unit, and its 4 values from 1.2 to 1.3 may be mm or cm. pwv_KALL=pwv:mm pwv_KALL=pwv:cm",
  );
  expect(await open(heading, "1.2,1.3", "cm")).toMatchObject({
    first: ["KALL pwv mm 2026-01-01T00:00 12", "MAST pwv mm 2026-01-01T00:00 13"],
  });
});
