import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AppFault } from "#shared/fault.ts";
import type { FileGrant, OpenedFile } from "#shared/file/opened.ts";
import type { Result } from "#shared/service/error.ts";
import { openStandin, type Standin, type StandinOptions, standinMissing } from "../electron-standin/driver.ts";
import { desktopMain } from "../support/desktopProgram.ts";
import { callCore, connectToCore } from "./coreCalls.ts";

// Files that the shell passes to the core: from the command line, the system, a dialog, or a drop on the page.

const missing = standinMissing();
let folder = "";
const open: Standin[] = [];

beforeEach((context) => {
  context.skip(missing !== null, missing ?? "");
  folder = mkdtempSync(join(tmpdir(), "zenith-files-"));
  mkdirSync(join(folder, "files"));
});
afterEach(async () => {
  for (const standin of open.splice(0)) await standin.kill();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

function table(name: string): string {
  const path = join(folder, "files", name);
  writeFileSync(path, "station_id,time,ztd_mm\r\na,2026-01-01T00:00:00Z,2400.5\r\n");
  return path;
}

async function options(args: readonly string[] = []): Promise<StandinOptions> {
  const dataFolder = join(folder, "data");
  return { main: await desktopMain(), dataFolder, args, fileFolder: join(folder, "files") };
}

async function start(args: readonly string[] = []): Promise<{ standin: Standin; page: Page }> {
  const standin = await openStandin(await options(args));
  open.push(standin);
  const page = await standin.page();
  await connectToCore(page);
  return { standin, page };
}

async function request<T>(page: Page, call: string, input: object = {}): Promise<T> {
  const response = (await callCore(page, call, input)) as Result<T, AppFault>;
  return response.ok ? response.value : ({ fault: response.error } as T);
}

async function names(page: Page): Promise<string[]> {
  return (await request<OpenedFile[]>(page, "files.list")).map(({ name }) => name);
}

describe("files that the system asks to open", { timeout: 120_000 }, () => {
  it("are opened from the command lines of the first and later starts, without a connection", async () => {
    const rows = Array.from({ length: 20 }, (_, i) => `a,2026-01-01T00:${String(i + 10)}:00Z,${2400 + i}`);
    const path = join(folder, "files", "first.csv");
    writeFileSync(path, `${["station_id,time,ztd_mm", ...rows].join("\r\n")}\r\n`);
    const standin = await openStandin(await options([path, "--switch", join(folder, "gone.nc")]));
    open.push(standin);
    const page = await standin.page();
    await page.locator('[data-variable="ztd"][data-drawn="1"]').waitFor();
    expect(await page.getByRole("region", { name: "Stations" }).count()).toBe(0);
    await expect(openStandin(await options([table("second.csv")]))).rejects.toThrow("ended");
    for (const name of ["first.csv", "second.csv"]) await page.getByRole("button", { name: `Close ${name}` }).waitFor();
    expect(await standin.windows()).toHaveLength(1);
    expect(standin.logs()).toBe("");
  });
});

describe("files that a page requests", { timeout: 120_000 }, () => {
  it("are granted if they were dropped, but not by path", async () => {
    table("dropped.csv");
    const { page } = await start();
    const grants = await page.evaluate<FileGrant[]>(
      `zenithShell.grantFiles([new File(["x"], "dropped.csv"), new File([], "gone.nc")])`,
    );
    expect(grants).toMatchObject([{ name: "dropped.csv", kind: "data" }]);
    await request(page, "files.open", { grantId: grants[0]!.grantId });
    expect(await names(page)).toEqual(["dropped.csv"]);
    const path = join(folder, "files", "dropped.csv");
    const made = `[${JSON.stringify(path)}, { path: ${JSON.stringify(path)}, name: "dropped.csv" }, null, 7]`;
    expect(await page.evaluate(`zenithShell.grantFiles(${made})`)).toEqual([]);
    expect(await request(page, "files.open", { grantId: path })).toHaveProperty("fault.kind", "usage");
  });

  it("are chosen in a dialog of the system", async () => {
    const { standin, page } = await start();
    await standin.setSaveDialog(null);
    expect(await request(page, "files.choose")).toEqual([]);
    await standin.setSaveDialog(table("chosen.csv"));
    expect(await request(page, "files.choose")).toMatchObject([{ name: "chosen.csv" }]);
    const shown = (await standin.control.shownDialogs()).at(-1);
    expect(shown).toMatchObject({ kind: "open", options: { properties: ["openFile", "multiSelections"] } });
  });

  it("are opened from a folder that is chosen in a dialog of the system", async () => {
    const { standin, page } = await start();
    const days = join(folder, "files", "days");
    mkdirSync(days, { recursive: true });
    for (const day of ["days/1.csv", "days/2.csv"]) table(day);
    await standin.setSaveDialog(days);
    const [grant] = await request<FileGrant[]>(page, "files.choose", { isFolder: true });
    expect(grant).toMatchObject({ name: "days", kind: "data" });
    const shown = (await standin.control.shownDialogs()).at(-1);
    expect(shown).toMatchObject({ kind: "open", options: { properties: ["openDirectory", "multiSelections"] } });
    await request(page, "files.open", { grantId: grant!.grantId });
    expect(await names(page)).toEqual(["days"]);
  });

  it("are granted after a crash of the core once it has restarted", async () => {
    table("dropped.csv");
    const { standin, page } = await start();
    await standin.killCore();
    const grant = `zenithShell.grantFiles([new File(["x"], "dropped.csv")]).then((g) => g.length, (e) => e.message)`;
    await expect.poll(() => page.evaluate(grant)).toBe(1);
  });
});
