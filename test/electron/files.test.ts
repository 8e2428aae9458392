import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import type { AppFault } from "#shared/fault.ts";
import type { FileGrant, OpenedFile } from "#shared/file/opened.ts";
import type { Result } from "#shared/service/error.ts";
import { callCore, connectToCore } from "./coreCalls.ts";
import { standinForEachTest } from "./starts.ts";

// Files that the shell passes to the core: from the command line, the system, a dialog, or a drop on the page.

const starts = standinForEachTest();
const fileFolder = (): string => join(starts.folder, "files");

function table(name: string): string {
  const path = join(fileFolder(), name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "station_id,time,ztd_mm\r\na,2026-01-01T00:00:00Z,2400.5\r\n");
  return path;
}

async function request<T>(page: Page, call: string, input: object = {}): Promise<T> {
  const response = (await callCore(page, call, input)) as Result<T, AppFault>;
  return response.ok ? response.value : ({ fault: response.error } as T);
}

async function names(page: Page): Promise<string[]> {
  return (await request<OpenedFile[]>(page, "files.list")).map(({ name }) => name);
}

it("files that the system asks to open are opened from the command lines of the first and later starts, without a connection", async () => {
  const rows = Array.from({ length: 20 }, (_, i) => `a,2026-01-01T00:${String(i + 10)}:00Z,${2400 + i}`);
  const path = join(starts.folder, "first.csv");
  writeFileSync(path, `${["station_id,time,ztd_mm", ...rows].join("\r\n")}\r\n`);
  const { standin, page } = await starts.start({ args: [path, "--switch", join(starts.folder, "gone.nc")] });
  await page.locator('[data-variable="ztd"][data-drawn="1"]').waitFor();
  expect(await page.getByRole("region", { name: "Stations" }).count()).toBe(0);
  // The program runs once for each data folder: a second start exits.
  await expect(starts.open({ args: [table("second.csv")] })).rejects.toThrow("ended");
  for (const name of ["first.csv", "second.csv"]) await page.getByRole("button", { name: `Close ${name}` }).waitFor();
  expect(await standin.windows()).toHaveLength(1);
  expect(standin.logs()).toBe("");
});

it("files that a page requests are granted if they were dropped or chosen in a dialog, also after a crash of the core, but not by path", async () => {
  const path = table("dropped.csv");
  const { standin, page } = await starts.start({ fileFolder: fileFolder() });
  await connectToCore(page);
  const grants = await page.evaluate<FileGrant[]>(
    `zenithShell.grantFiles([new File(["x"], "dropped.csv"), new File([], "gone.nc")])`,
  );
  expect(grants).toMatchObject([{ name: "dropped.csv", kind: "data" }]);
  await request(page, "files.open", { grantId: grants[0]!.grantId });
  expect(await names(page)).toEqual(["dropped.csv"]);
  const made = `[${JSON.stringify(path)}, { path: ${JSON.stringify(path)}, name: "dropped.csv" }, null, 7]`;
  expect(await page.evaluate(`zenithShell.grantFiles(${made})`)).toEqual([]);
  expect(await request(page, "files.open", { grantId: path })).toHaveProperty("fault.kind", "usage");

  const shown = async () => (await standin.control.shownDialogs()).at(-1);
  await standin.control.setSaveDialog(null);
  expect(await request(page, "files.choose")).toEqual([]);
  await standin.control.setSaveDialog(table("chosen.csv"));
  expect(await request(page, "files.choose")).toMatchObject([{ name: "chosen.csv" }]);
  expect(await shown()).toMatchObject({ kind: "open", options: { properties: ["openFile", "multiSelections"] } });
  for (const day of ["days/1.csv", "days/2.csv"]) table(day);
  await standin.control.setSaveDialog(join(fileFolder(), "days"));
  const [grant] = await request<FileGrant[]>(page, "files.choose", { isFolder: true });
  expect(grant).toMatchObject({ name: "days", kind: "data" });
  expect(await shown()).toMatchObject({ kind: "open", options: { properties: ["openDirectory", "multiSelections"] } });
  await request(page, "files.open", { grantId: grant!.grantId });
  expect(await names(page)).toEqual(["dropped.csv", "days"]);

  await standin.control.crashUtilities();
  const again = `zenithShell.grantFiles([new File(["x"], "dropped.csv")]).then((g) => g.length, (e) => e.message)`;
  await expect.poll(() => page.evaluate(again)).toBe(1);
});
