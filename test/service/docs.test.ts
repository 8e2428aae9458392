import { execFile } from "node:child_process";
import { scratchFolder } from "../support/folder.ts";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { BUILT_IN_ORGANIZATIONS, readServiceConfig, startService } from "#service/index.ts";
import { configJsonSchema } from "#service/configSchema.ts";
import { withTables } from "../../scripts/serviceDocs.ts";
import { serve } from "#main/demo/serve.ts";
import { callQuery } from "./call.ts";
import { started, WORLD } from "./start.ts";
import { itUnless, programMissing } from "../support/needs.ts";
import { valueOf } from "../support/valueOf.ts";

const DOCS = join(import.meta.dirname, "..", "..", "docs");
const text = (name: string): string => readFileSync(join(DOCS, name), "utf8");
const PAGE = text("service.md");
const EXAMPLES = [...PAGE.matchAll(/^```sh\n([^]*?)^```/gm)].map((match) => match[1]!);

describe("docs/service.md", () => {
  it("docs: the schema and the tables match the configuration (npm run schemas)", () => {
    expect(JSON.parse(text("service.schema.json"))).toEqual(JSON.parse(JSON.stringify(configJsonSchema())));
    expect(withTables(PAGE)).toBe(PAGE);
  });

  it("docs: the sample configuration starts a service", async () => {
    const sample = text("service.sample.json");
    expect(readServiceConfig(sample)).toMatchObject({ ok: true });
    const serving = valueOf(await serve({ port: 0, host: null, stations: null, configText: sample }));
    onTestFinished(() => serving.close());
    expect(serving.stations).toBe(500);
    expect(serving.organizations.map((o) => o.name)).toEqual(["weather", "survey"]);
  });

  it("docs: the built-in organizations match the table", () => {
    for (const { name, key, maxPoints, maxConcurrent, hasLocation, networks } of BUILT_IN_ORGANIZATIONS) {
      const seen = networks === "all" ? "all" : `of the networks ${networks.join(" and ")}`;
      const points = maxPoints === null ? "no limit" : maxPoints.toLocaleString("en-US");
      const row = `| ${name} | \`${key}\` | ${seen} | ${hasLocation ? "yes" : "no"} | ${points} | ${maxConcurrent} |`;
      expect(PAGE).toContain(row);
    }
  });

  it("docs: Accept is treated as in the table", async () => {
    const service = await started();
    const [, table = ""] = PAGE.split("| `Accept` | Answer |");
    const rows = [...table.matchAll(/^\| (.+) \| (NetCDF|JSON|400) \|$/gm)];
    expect(rows.length).toBe(8);
    for (const [, accepted, outcome] of rows) {
      const types = [...accepted!.matchAll(/`([^`]+\/[^`]+)`/g)].map((match) => match[1]!);
      const headers = [...types.map((type) => ({ Accept: type })), ...(accepted!.startsWith("none") ? [{}] : [])];
      expect(headers.length).toBeGreaterThan(0);
      for (const header of headers) {
        const response = await callQuery(service, HOUR, { headers: header });
        const type = response.headers["content-type"];
        expect([header, response.status === 400 ? "400" : type]).toEqual([
          header,
          { NetCDF: "application/x-netcdf", JSON: "application/json", "400": "400" }[outcome!],
        ]);
      }
    }
  });

  itUnless(programMissing("curl"), "docs: every curl example works", async () => {
    const service = await startService();
    const folder = scratchFolder();
    onTestFinished(async () => {
      await service.close();
    });
    const [settings, ...examples] = EXAMPLES;
    expect(settings).toBe("SERVICE=http://127.0.0.1:8470\nKEY=demo-key\n");
    expect(examples.length).toBe(8);
    const env = { ...process.env, SERVICE: service.url, KEY: "demo-key" };
    for (const example of examples) {
      const command = example.replaceAll("STATION_ID", service.world.stations[0]!.id).replace("curl -s", "curl -s -f");
      const { stdout } = await promisify(execFile)("sh", ["-c", command], { env, cwd: folder, encoding: "utf8" });
      expect([example, formOf(stdout, join(folder, "measurements.nc"))]).toEqual([
        example,
        example.includes("-o ") ? "file" : example.includes(" -I ") ? "headers" : "json",
      ]);
    }
    expect(service.stats.byStatus).toEqual({ 200: examples.length });
  });
});

/** The form of the result: a NetCDF-4 file, headers, or a JSON object with content. */
function formOf(stdout: string, file: string): string {
  if (stdout === "") return readFileSync(file).toString("latin1", 1, 4) === "HDF" ? "file" : "nothing";
  if (stdout.startsWith("HTTP/1.1 200 OK")) return "headers";
  return Object.keys(JSON.parse(stdout) as object).length > 0 ? "json" : "empty";
}

const HOUR = {
  start_time: "2026-01-01T00:00:00Z",
  end_time: "2026-01-01T01:00:00Z",
  station_ids: [WORLD.stations[0]!.id],
  data_vars: ["ztd"],
};
