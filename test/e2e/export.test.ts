import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { openNetcdf } from "../support/openNetcdf.ts";
import type { RunningService } from "#service/index.ts";
import { openService } from "../support/openService.ts";
import { KEY, NOW_MS } from "../support/desk.ts";
import { tries } from "../support/endurance.ts";
import { clipboardText } from "./harness/clipboard.ts";
import { forEachShell } from "./harness/forEachShell.ts";
import { shoot } from "./harness/shoot.ts";
import { allCached, choose, connect, fetchButton, setRange, writeButton } from "./harness/steps.ts";
import { valueOf } from "../support/valueOf.ts";

interface ServedRow {
  readonly timestamp: string;
  readonly ztd: number | null;
  readonly pwv: number | null;
}

const service = await openService({ now: () => NOW_MS, organizations: [{ key: KEY, name: "test", owner: "aurora" }] });

/** The rows of the day, requested from the service without the application. */
async function served(service: RunningService, stationId: string): Promise<readonly ServedRow[]> {
  const body = {
    start_time: "2026-09-05T00:00:00Z",
    end_time: "2026-09-06T00:00:00Z",
    station_ids: [stationId],
    data_vars: ["ztd", "pwv"],
  };
  const record = service.stats.log.find((r) => r.endpoint === "query");
  const response = await fetch(`${service.url}${record!.path}`, {
    method: "POST",
    headers: { "X-API-Key": KEY, "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify(body),
  });
  return ((await response.json()) as { readonly data: readonly ServedRow[] }).data;
}

forEachShell("exported files", { shells: tries(1, Infinity) }, (page, shell) => {
  let rows: readonly ServedRow[];
  let netcdf: string;

  async function exported(format: string): Promise<string> {
    await page.getByRole("button", { name: "Export", exact: true }).click();
    await page.getByRole("radiogroup", { name: "Format" }).getByText(format, { exact: true }).click();
    await shoot(page, `export-${format.toLowerCase()}`);
    const save = writeButton(page);
    return (await shell.saved(() => save.click())).path;
  }

  it("contain the values of the service in NetCDF-4", async () => {
    await connect(page, service.url, KEY);
    await choose(page, ["Torsvika"]);
    await setRange(page, "2026-09-05", "2026-09-05");
    await fetchButton(page).click();
    await allCached(page);
    rows = await served(service, service.world.stations.find((s) => s.displayName === "Torsvika")!.id);
    expect(rows.length).toBeGreaterThan(2_000);
    netcdf = await exported("NetCDF-4");
    const file = valueOf(await openNetcdf(netcdf));
    const values = Array.from(file.read("ztd") as Float64Array, (v) =>
      Number.isNaN(v) || Math.abs(v) > 1e30 ? null : v,
    );
    const times = file.read("time");
    expect(times).toHaveLength(rows.length);
    const unit = String(file.variable("ztd")?.attributes["units"]);
    const scale = unit === "m" ? 1000 : 1;
    expect(values.map((v) => (v === null ? null : Math.round(v * scale * 1e6) / 1e6))).toEqual(
      rows.map((row) => row.ztd),
    );
    file.close();
  });

  it("contain the rows of the service in CSV, without the API key", async () => {
    const text = readFileSync(await exported("CSV"), "utf8");
    const lines = text.split(/\r?\n/).filter((line) => /\d{4}-\d\d-\d\dT/.test(line) && !line.startsWith("#"));
    expect(lines).toHaveLength(rows.length);
    const first = rows[0]!;
    expect(lines[0]).toContain(String(first.ztd));
    expect(lines[0]).toContain(String(first.pwv));
    expect(text).not.toContain(KEY);
  });

  it("have the chosen layout, which the copied Python code and command line also use", async () => {
    await page.getByRole("button", { name: "Export", exact: true }).click();
    await page.getByRole("button", { name: /Layout/ }).click();
    await page.getByRole("option", { name: /^Ragged/ }).click();
    const copy = async (format: string, message: string): Promise<string> => {
      await page.getByRole("button", { name: "Copy as…" }).click();
      await shoot(page, "export-copy-as");
      await page.getByRole("menuitem", { name: format }).click();
      await page.getByText(message).waitFor();
      return clipboardText(page);
    };
    const program = await copy("Python", "The Python code was copied.");
    expect(program).toContain('np.repeat(data["station_id"].values, data["row_size"].values)');
    const command = await copy("Command line", "The command line was copied.");
    expect(command).toMatch(
      / export \S+ --vars ztd,\S+ --from 2026-09-05T00:00:00Z .*--layout ragged --format netcdf /,
    );
    expect(command).not.toContain(KEY);
    const save = writeButton(page);
    const file = valueOf(await openNetcdf((await shell.saved(() => save.click())).path));
    expect(file.variable("ztd")?.dimensions).toEqual(["obs"]);
    file.close();
  });
});
