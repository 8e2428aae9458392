import { describe, expect, it } from "vitest";
import { get, type Wire } from "./call.ts";
import { started, WORLD } from "./start.ts";

describe("4.3 GET /networks", () => {
  it("2.2 fields: a network has exactly the fields of the table", async () => {
    const { json } = await get(await started(), "/networks");
    expect(json.networks.length).toBe(6);
    for (const network of json.networks as Wire[]) {
      const truth = WORLD.networks.find((n) => n.id === network.id)!;
      expect(network).toEqual({
        id: truth.id,
        code: truth.code,
        name: truth.name,
        is_owner: truth.owner === "aurora",
        visibility: truth.visibility,
        is_internal: truth.isInternal,
        created_at: new Date(truth.createdAtMs).toISOString(),
        updated_at: new Date(truth.updatedAtMs).toISOString(),
      });
    }
  });

  it("4.3 scope: only the networks that the organization is entitled to", async () => {
    const { json } = await get(await started(), "/networks", { key: "key-b" });
    expect(json.networks.map((n: Wire) => [n.code, n.is_owner])).toEqual([["BMAST", true]]);
  });

  it("4.3 paging: page from 1, page_size 1 to 100, totals on every page", async () => {
    const service = await started();
    const { json } = await get(service, "/networks?page=2&page_size=4");
    expect(json.networks.length).toBe(2);
    expect(json.pagination).toEqual({ page: 2, page_size: 4, total_items: 6, total_pages: 2 });
    expect((await get(service, "/networks?page=3&page_size=4")).json.networks).toEqual([]);
    expect((await get(service, "/networks?page_size=100")).status).toBe(200);
    for (const bad of ["page_size=0", "page_size=101", "page=0", "page_size=many"]) {
      expect([bad, (await get(service, `/networks?${bad}`)).status]).toEqual([bad, 400]);
    }
  });

  it("4.3 defaults: the page size of the service, which the specification leaves open", async () => {
    const { json } = await get(await started({ networksPageSize: 5 }), "/networks");
    expect(json.pagination).toEqual({ page: 1, page_size: 5, total_items: 6, total_pages: 2 });
  });
});
