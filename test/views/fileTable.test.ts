import * as fc from "fast-check";
import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, expect, it, vi } from "vitest";
import type { FileSeries, OpenedFile } from "#shared/file/opened.ts";
import { offeredTables } from "#renderer/features/table/TableView.tsx";
import { fileRows, fileTables, MAX_COLUMNS } from "#renderer/features/table/FileTableView.tsx";
import { BY_TIME } from "#renderer/features/table/order.ts";
import { forEachShell } from "../e2e/harness/forEachShell.ts";
import { tries } from "../support/endurance.ts";
import { violationsOn } from "../support/axe.ts";
import { exploreDemo } from "../e2e/harness/steps.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const QUANTITY = { longName: null, standardName: null, unit: "mm", variable: null, conversion: null };
const someSeries = fc.record({
  label: fc.constantFrom("KIRK", "METS"),
  timesId: fc.constantFrom("0", "1"),
  rows: fc.nat({ max: 1 }),
});
const someFile: fc.Arbitrary<OpenedFile> = fc
  .tuple(fc.uuid(), fc.array(someSeries, { maxLength: 140 }))
  .map(([id, all]) => ({
    id,
    name: `${id}.csv`,
    format: "csv" as const,
    bytes: 1,
    title: null,
    source: null,
    notes: [],
    series: all.map(({ label, timesId, rows }, i): FileSeries => {
      const range = rows > 0 ? { startMs: 0, endMs: 10 } : null;
      const about = { stationId: label, satellite: null, position: null, quantity: { ...QUANTITY, name: `q${i}` } };
      return { id: String(i), label, timesId, rows, range, ...about };
    }),
  }));

describe("tables of opened files", () => {
  it("contain each series with rows once, grouped by station and epochs", () => {
    fc.assert(
      fc.property(fc.array(someFile, { maxLength: 4 }), (files) => {
        const tables = fileTables(files);
        expect(new Set(tables.map((t) => t.id)).size).toBe(tables.length);
        for (const table of tables) {
          const { series, file, label } = table;
          const starts = series.flatMap((_, i) => (i % MAX_COLUMNS === 0 ? [i] : []));
          const pages = starts.map((first) => fileRows(table, { startMs: 0, endMs: 1 }, first, BY_TIME).columns);
          expect(pages.flat().map((column) => column.id)).toEqual(series.map((s) => s.id));
          expect(pages.every((columns) => columns.length <= 50)).toBe(true);
          expect(new Set(series.map((s) => s.timesId)).size).toBe(1);
          const alike = file.series.filter((s) => s.range && s.label === label && s.timesId === series[0]!.timesId);
          expect(series.length).toBe(alike.length);
        }
        const count = tables.reduce((n, { series }) => n + series.length, 0);
        expect(count).toBe(files.flatMap((f) => f.series).filter((s) => s.range !== null).length);
        const last = tables.at(-1);
        const drawn = last ? [{ lineId: "", file: last.file, series: last.series[0]! }] : [];
        expect(offeredTables(tables, drawn)[0]).toEqual(last);
      }),
    );
  });
});

const STEP_MS = 300_000;
const END_MS = Math.floor(Date.now() / STEP_MS) * STEP_MS;

/** Rows of a station every five minutes, ending this long ago. */
function csv(stationId: string, agoMs: number): string {
  const lines = Array.from({ length: 288 }, (_, i) => {
    const time = new Date(END_MS - agoMs - (288 - i) * STEP_MS).toISOString();
    return `${stationId},${time},${(1_900 + i / 10).toFixed(1)},${i === 5 ? "" : 12.5}`;
  });
  return ["station_id,time,ztd_mm,pwv_mm", ...lines, ""].join("\n");
}

/** A station with this number of quantities; the value of each is its index. */
function wideCsv(quantities: number): string {
  const names = Array.from({ length: quantities }, (_, i) => `q${i}_m`);
  const lines = Array.from({ length: 288 }, (_, i) =>
    ["WIDE", new Date(END_MS - (288 - i) * STEP_MS).toISOString(), ...names.map((_name, q) => `${q}.0`)].join(","),
  );
  return ["station_id,time," + names.join(","), ...lines, ""].join("\n");
}

function grid(page: Page): Locator {
  return page.getByRole("grid", { name: "Rows" });
}

async function pick(page: Page, option: RegExp): Promise<void> {
  await page.getByRole("button", { name: /Station of the table/ }).click();
  await page.getByRole("option", { name: option }).click();
}

forEachShell("rows of a file in the table", { shells: tries(1, Infinity) }, (page, shell) => {
  beforeAll(async () => {
    await exploreDemo(page);
  });

  it("can be chosen like stations, labelled as a file, with the columns of the file", async () => {
    await shell.drop("colleague.csv", csv("KIRK", 0));
    await page.getByRole("button", { name: "Close colleague.csv" }).waitFor();
    await page.keyboard.press("6");
    await grid(page).waitFor();
    expect(await page.getByText("From a file, not in the cache").count()).toBe(0);
    await pick(page, /KIRK · colleague\.csv/);
    await page.getByText("From a file, not in the cache").waitFor();
    await page.getByText("288 rows").waitFor();
    await expect
      .poll(() => grid(page).getByRole("columnheader").allInnerTexts())
      .toEqual(["Time, UTC", "ztd mm", "pwv mm"]);
    const first = grid(page).getByRole("row").nth(1);
    await expect.poll(() => first.getByRole("gridcell").nth(1).innerText()).toBe("1,900.0");
    // Missing values of a file have no cause.
    const sixth = grid(page).getByRole("row").nth(6).getByRole("gridcell");
    await expect.poll(() => sixth.nth(1).innerText()).toBe("1,900.5");
    expect(await sixth.nth(2).innerText()).toBe("");
    const violations = await violationsOn(page, { within: "main" });
    expect(violations.map((v) => v.id)).toEqual([]);
  });

  it("can be sorted and filtered", async () => {
    const heading = grid(page).getByRole("columnheader").nth(1);
    const ztd = (row: number): Promise<string> =>
      grid(page).getByRole("row").nth(row).getByRole("gridcell").nth(1).innerText();
    await heading.getByRole("button").click();
    await heading.getByRole("button").click();
    await expect.poll(() => heading.getAttribute("aria-sort")).toBe("descending");
    await expect.poll(() => ztd(1)).toBe("1,928.7");
    await page.getByRole("button", { name: /Rows to show/ }).click();
    await page.getByRole("option", { name: "Rows with ztd mm" }).click();
    await page.getByLabel("At most").fill("1901");
    await page.keyboard.press("Enter");
    await page.getByText("11 rows").waitFor();
    await expect.poll(() => ztd(1)).toBe("1,901.0");
    // Times are sorted along with the values.
    const [start] = await grid(page).getByRole("row").nth(11).getByRole("gridcell").allInnerTexts();
    await grid(page).getByRole("columnheader").first().getByRole("button").click();
    await expect.poll(() => grid(page).getByRole("row").nth(1).getByRole("gridcell").first().innerText()).toBe(start);
    await page.getByRole("button", { name: /Rows to show/ }).click();
    await page.getByRole("option", { name: "All rows" }).click();
    await page.getByText("288 rows").waitFor();
  });

  it("can be replaced by cached rows, and a button shows the time range of the file", async () => {
    await page.getByRole("button", { name: /Station of the table/ }).click();
    // The first option shows the stations side by side.
    await page.getByRole("option").nth(1).click();
    await expect.poll(() => page.getByText("From a file, not in the cache").count()).toBe(0);
    await expect.poll(() => grid(page).getByRole("columnheader").count()).toBe(4);
    await shell.drop("old.csv", csv("METS", 60 * 86_400_000));
    await page.getByRole("button", { name: "Close old.csv" }).waitFor();
    await page.keyboard.press("6");
    // Opening a file shows its range; a file that ends two months later has no rows there.
    await pick(page, /METS · old\.csv/);
    await page.getByText("288 rows").waitFor();
    await pick(page, /KIRK · colleague\.csv/);
    await page.getByText("No rows in this range").waitFor();
    await page.getByRole("button", { name: "Show the range of its data" }).click();
    await page.getByText("288 rows").waitFor();
  });

  it("have buttons for further columns, which keep the rows in place", async () => {
    await shell.drop("wide.csv", wideCsv(120));
    await page.getByRole("button", { name: "Close wide.csv" }).waitFor();
    await page.keyboard.press("6");
    await pick(page, /WIDE · wide\.csv/);
    const pager = page.getByRole("group", { name: "Columns" });
    await pager.getByText("Columns 1 to 50 of 120").waitFor();
    // End works only when the rows are counted.
    await page.getByText("288 rows").waitFor();
    await grid(page).focus();
    await page.keyboard.press("End");
    await grid(page).locator('[data-row="287"]').waitFor();
    await pager.getByRole("button", { name: "Next columns" }).click();
    await pager.getByText("Columns 51 to 100 of 120").waitFor();
    const last = grid(page).locator('[data-row="287"]').getByRole("gridcell");
    await expect.poll(() => last.nth(1).innerText()).toBe("50.0");
    await pager.getByRole("button", { name: "Next columns" }).focus();
    await page.keyboard.press("Enter");
    await pager.getByText("Columns 101 to 120 of 120").waitFor();
    await expect.poll(() => last.nth(20).innerText()).toBe("119.0");
    // On the last page, the focus moves to the other button.
    await expect.poll(() => pager.locator(":focus").getAttribute("aria-label")).toBe("Previous columns");
    const violations = await violationsOn(page, { within: "main" });
    expect(violations.map((v) => v.id)).toEqual([]);
    await page.getByRole("button", { name: "Close wide.csv" }).click();
  });

  it("disappear with their file, and the table shows a station again", async () => {
    await page.getByRole("button", { name: "Close colleague.csv" }).click();
    await expect.poll(() => page.getByText("From a file, not in the cache").count()).toBe(0);
    await page.getByRole("button", { name: /Station of the table/ }).click();
    await expect.poll(() => page.getByRole("option", { name: /METS/ }).count()).toBe(1);
    expect(await page.getByRole("option", { name: /KIRK/ }).count()).toBe(0);
    await page.keyboard.press("Escape");
    expect(shell.problems).toEqual([]);
  });
});
