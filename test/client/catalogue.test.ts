import { expect, test } from "vitest";
import { clientOf, httpServer, never, type Running } from "./servers.ts";

/** Serves a list of ids in pages; `change` may alter it before each page. */
function catalogue(
  ids: string[],
  change: (ids: string[], requestNumber: number) => void = () => undefined,
  pagination = true,
): Promise<Running & { readonly pages: number[] }> {
  const pages: number[] = [];
  return httpServer((request, response) => {
    const url = new URL(request.url!, "http://x");
    const page = Number(url.searchParams.get("page"));
    const size = Math.min(Number(url.searchParams.get("page_size")), 3);
    change(ids, pages.push(page));
    const list = ids.slice((page - 1) * size, page * size).map((id) => ({ id, display_name: `name of ${id}` }));
    const key = url.pathname.endsWith("networks") ? "networks" : "stations";
    const total = ids.length;
    response.end(
      JSON.stringify(
        pagination
          ? {
              [key]: list,
              pagination: { page, page_size: size, total_items: total, total_pages: Math.ceil(total / size) },
            }
          : { [key]: list, total_count: total },
      ),
    );
  }).then((server) => ({ ...server, pages }));
}

/** Serves these pages of ids; `pagination` is what the service says of each. */
function paged(idsOf: (page: number) => readonly string[], pagination: object): Promise<Running> {
  return httpServer((request, response) => {
    const page = Number(new URL(request.url!, "http://x").searchParams.get("page"));
    const stations = idsOf(page).map((id) => ({ id }));
    response.end(JSON.stringify({ stations, pagination: { page, ...pagination } }));
  });
}

const letters = (text: string): string[] => [...text];

async function all(url: string): Promise<string> {
  const result = await clientOf(url).allStations({}, never);
  return result.ok ? result.value.items.map((s) => s.id).join("") : result.error.message;
}

test("all pages are joined, and requested with the maximum page size of the specification", async () => {
  const server = await catalogue(letters("abcdefgh"));
  expect(await all(server.url)).toBe("abcdefgh");
  expect(server.pages).toStrictEqual([1, 2, 3]);
  expect(server.heads.every((head) => head.includes("page_size=200"))).toBe(true);
  const networks = await clientOf(server.url).allNetworks(never);
  expect(networks.ok && networks.value.items).toHaveLength(8);
  expect(server.heads.at(-1)).toContain("page_size=100");
});

test("an empty catalogue is an empty list", async () => {
  expect(await all((await catalogue([])).url)).toBe("");
});

test("totals in the earlier form without a page size are read", async () => {
  expect(await all((await catalogue(letters("abcdefgh"), undefined, false)).url)).toBe("abcdefgh");
});

test("a station removed between two pages makes the client fetch all pages again, and no other is lost", async () => {
  const server = await catalogue(letters("abcdefgh"), (ids, n) => n === 2 && ids.shift());
  expect(await all(server.url)).toBe("bcdefgh");
});

test("a station added between two pages is not listed twice", async () => {
  const server = await catalogue(letters("bcdefgh"), (ids, n) => n === 2 && ids.unshift("a"));
  expect(await all(server.url)).toBe("abcdefgh");
});

test("a station listed twice keeps its first id, and values that the second copy lacks", async () => {
  const [a, b] = ["0f0f0f0f-1111-4222-8333-44444444444a", "0f0f0f0f-1111-4222-8333-44444444444b"];
  const first = { id: a, display_name: "Kallio", data_last_updated: "2026-11-01T00:00:00.000Z" };
  const bare = {
    id: `{${a.toUpperCase()}}`,
    display_name: "",
    latitude: null,
    data_last_updated: null,
    location_alias: "Helsinki",
  };
  const server = await httpServer((request, response) => {
    const page = Number(new URL(request.url!, "http://x").searchParams.get("page"));
    const pagination = { page, page_size: 2, total_items: 2, total_pages: 2 };
    response.end(JSON.stringify({ stations: [[first, { id: b }], [bare]][page - 1], pagination }));
  });
  const result = await clientOf(server.url).allStations({}, never);
  const [station] = result.ok ? result.value.items : [];
  const merged = {
    displayName: "Kallio",

    dataLastUpdatedMs: Date.UTC(2026, 10, 1),
    locationAlias: "Helsinki",
  };
  expect(station).toMatchObject({ id: a, ...merged });
});

test("a change between two pages with the same total is detected", async () => {
  const server = await catalogue(letters("bcdefgh"), (ids, n) => {
    if (n === 2) ids.splice(6, 1);
    if (n === 2) ids.unshift("a");
  });
  expect(await all(server.url)).toBe("abcdefg");
});

test("a catalogue that keeps changing gives the union of all versions, after a bounded number of requests", async () => {
  let next = 0;
  const server = await catalogue(letters("abcdefgh"), (ids) => ids.unshift(`new${next++} `));
  const found = await all(server.url);
  for (const id of "abcdefgh") expect(found).toContain(id);
  expect(server.pages.length).toBeLessThan(15);
  const result = await clientOf(server.url).allStations({}, never);
  expect(result.ok && result.value.remark).toContain("changed every time");
});

test("a service with endless pages, or the same page every time, receives a bounded number of requests", async () => {
  for (const ids of ["", "a"]) {
    const server = await paged(() => letters(ids), { page: 1, page_size: 1, total_items: 1e9, total_pages: 1e9 });
    expect(await all(server.url)).toMatch(ids === "a" ? /^a$/ : /listed none of them/);
    expect(server.heads.length).toBeLessThan(15);
  }
});

test("wrong totals are reported, and no station is lost", async () => {
  const PAGES = ["abc", "def", "gh"];
  for (const [totals, pages] of [
    [{ total_items: 2, total_pages: 1 }, 3],
    [{ total_items: 500, total_pages: 2 }, 3],
    [{ total_items: 500, total_pages: 100 }, 4],
    [{ total_items: 9, total_pages: 3 }, 3],
  ] as const) {
    const server = await paged((page) => letters(PAGES[page - 1] ?? ""), { page_size: 3, ...totals });
    const result = await clientOf(server.url).allStations({}, never);
    expect(result).toMatchObject({
      ok: true,
      value: { remark: expect.stringContaining("and listed the same 8 twice") },
    });
    expect(result.ok && result.value.items.map((s) => s.id).join("")).toBe("abcdefgh");
    expect(server.heads).toHaveLength(2 * pages);
  }
});

test("without a total, and with a wrong page size and number of pages, every station is listed, and the remark is true", async () => {
  const ids = Array.from({ length: 450 }, (_, i) => `s${i}`);
  const pageOf = (page: number): string[] => ids.slice(20 * (page - 1), 20 * page);
  const server = await paged(pageOf, { page_size: 200, total_items: null, total_pages: 3 });
  const result = await clientOf(server.url).allStations({}, never);
  expect(result.ok && result.value.items.map(({ id }) => id)).toEqual(ids);
  expect(result.ok && result.value.remark).toMatch(
    /^The service does not say how many stations it has, and listed the same 450 twice\./,
  );
});

test("pages as short as the ones before are full, whatever page size the service states", async () => {
  const pages = ["ab", "cd", "e"];
  const server = await paged((page) => letters(pages[page - 1] ?? ""), {
    page_size: 200,
    total_items: 4,
    total_pages: 2,
  });
  expect(await all(server.url)).toBe("abcde");
});

test("a single page without a total is read once, with the page after it", async () => {
  const server = await paged((page) => letters(page === 1 ? "ab" : ""), { page: undefined, page_size: 200 });
  expect(await clientOf(server.url).allStations({}, never)).toMatchObject({ ok: true, value: { remark: null } });
  expect(server.heads).toHaveLength(2);
});

test("one more page is requested after a full last page, and its absence is not a failure", async () => {
  const server = await httpServer((request, response) => {
    if (request.url!.includes("page=2")) return void response.writeHead(404).end('{"message":"no such page"}');
    const pagination = { page: 1, page_size: 2, total_items: 2, total_pages: 1 };
    response.end(JSON.stringify({ stations: [{ id: "a" }, { id: "b" }], pagination }));
  });
  expect(await clientOf(server.url).allStations({}, never)).toMatchObject({ ok: true, value: { remark: null } });
  expect(server.heads).toHaveLength(2);
});

test("an endless list with new items on each page ends with a message", async () => {
  let n = 0;
  const pagination = { page: 1, page_size: 1, total_items: 1e9, total_pages: 1e9 };
  const server = await paged(() => [`s${n++}`], pagination);
  expect(await all(server.url)).toMatch(/does not end: 500 pages/);
  expect(server.heads).toHaveLength(500);
});

test("a failure on a later page fails the call", async () => {
  const server = await httpServer((request, response) => {
    if (request.url!.includes("page=2")) response.writeHead(503).end();
    else {
      const pagination = { page: 1, page_size: 1, total_items: 2, total_pages: 2 };
      response.end(JSON.stringify({ stations: [{ id: "a" }], pagination }));
    }
  });
  expect(await clientOf(server.url).allStations({}, never)).toMatchObject({
    ok: false,
    error: { kind: "unavailable" },
  });
});

test("every filter is encoded as in the specification", async () => {
  const server = await catalogue([]);
  await clientOf(server.url).stationsPage(
    {
      countryCodes: ["FI", "NO"],
      networkIds: ["n1"],
      search: "Ä & b/c=?",
      bbox: { latitudeMin: -10.5, longitudeMin: 20, latitudeMax: 30, longitudeMax: 40.25 },
      heightReference: "EGM2008",
      sortBy: "updated_at",
      sortOrder: "desc",
    },
    2,
    50,
    never,
  );
  const url = new URL(server.heads[0]!.split(" ")[1]!, "http://x");
  expect([...url.searchParams]).toStrictEqual([
    ["country_code", "FI"],
    ["country_code", "NO"],
    ["network_id", "n1"],
    ["search", "Ä & b/c=?"],
    ["bbox", "[-10.5,20,30,40.25]"],
    ["height_vertical_reference", "EGM2008"],
    ["sort_by", "updated_at"],
    ["sort_order", "desc"],
    ["page", "2"],
    ["page_size", "50"],
  ]);
});

test("a station id cannot lead to another endpoint", async () => {
  const server = await httpServer((_, response) => response.writeHead(404).end());
  const client = clientOf(server.url);
  for (const id of ["", ".", "..", "../networks", "a/b", "a?x=1", "a#b", "%2e%2e"]) {
    expect((await client.station(id, "EGM2008", never)).ok).toBe(false);
  }
  expect(server.heads.map((head) => head.split(" ")[1]!.split("?")[0])).toStrictEqual(
    ["..%2Fnetworks", "a%2Fb", "a%3Fx%3D1", "a%23b", "%252e%252e"].map((id) => `/api/v1/stations/${id}`),
  );
});

test("two spellings of a station id in a list are one station, and a network has one id in any spelling", async () => {
  const id = "3f2b8a3e-1f0a-4c55-9d1b-0000000000aa";
  for (const spelt of [id.toUpperCase(), `{${id}}`, ` ${id} `, id.replaceAll("-", ""), `urn:uuid:${id}`]) {
    const server = await httpServer((_, response) => {
      const pagination = { page: 1, page_size: 200, total_items: 1, total_pages: 1 };
      const stations = [spelt, id].map((each) => ({ id: each, network_id: spelt }));
      response.end(JSON.stringify({ stations, pagination }));
    });
    const result = await clientOf(server.url).allStations({}, never);
    expect(result).toMatchObject({ ok: true, value: { items: [{ networkId: id }] } });
  }
});
