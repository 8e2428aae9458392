import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  networkPageSchema,
  stationLabel,
  stationLabels,
  stationPageSchema,
  stationSchema,
} from "#shared/service/catalogue.ts";
import { errorSentence } from "#main/client/errors/bodyReport.ts";

const wire = {
  id: "11111111-2222-4333-8444-555555555555",
  display_name: "ABCD",
  source_type: "cors",
  historic_data_from: "2020-01-01T00:00:00.000Z",
  resolution_seconds: 30,
  location_alias: "Somewhere",
  country_code: "FI",
  latitude: 60.1,
  longitude: 24.9,
  height: 50.5,
  height_vertical_reference: "EGM2008",
  data_last_updated: "2026-01-01T00:00:00.000Z",
  network_id: "66666666-2222-4333-8444-555555555555",
  network_code: "NET",
  created_at: "2020-01-01T00:00:00Z",
  updated_at: "2020-01-01T00:00:00Z",
};

describe("stationSchema", () => {
  it("reads every field", () => {
    expect(stationSchema.parse(wire)).toEqual({
      id: wire.id,
      displayName: "ABCD",
      mountpoint: null,
      sourceType: "cors",
      historicDataFromMs: Date.UTC(2020, 0, 1),
      hasNeverSent: false,
      resolutionSeconds: 30,
      locationAlias: "Somewhere",
      countryCode: "FI",
      latitudeDeg: 60.1,
      longitudeDeg: 24.9,
      height: 50.5,
      heightReference: "EGM2008",
      dataLastUpdatedMs: Date.UTC(2026, 0, 1),
      networkId: wire.network_id,
      networkCode: "NET",
      createdAtMs: Date.UTC(2020, 0, 1),
      updatedAtMs: Date.UTC(2020, 0, 1),
    });
  });

  it("keeps unknown types and references, and drops unknown fields", () => {
    const station = stationSchema.parse({ ...wire, source_type: "lunar", height_vertical_reference: "NEW", more: [1] });
    expect([station.sourceType, station.heightReference]).toEqual(["lunar", "NEW"]);
    expect(Object.keys(station)).not.toContain("more");
  });

  it("reads null, missing and invalid values as null, and a missing name or cadence as empty", () => {
    const odd = { ...wire, latitude: null, longitude: "24.9", height: undefined, historic_data_from: "soon" };
    expect(stationSchema.parse(odd)).toMatchObject({
      latitudeDeg: null,
      longitudeDeg: null,
      height: null,
      historicDataFromMs: null,
    });
    expect(stationSchema.parse({ id: "x" })).toMatchObject({ id: "x", displayName: "", resolutionSeconds: 0 });
  });

  it("reads the identifier from receiver_id if id is missing", () => {
    const { id, ...rest } = wire;
    for (const missing of [{}, { id: null }, { id: "" }]) {
      expect(stationSchema.parse({ ...rest, ...missing, receiver_id: id }).id).toBe(id);
    }
    expect(stationSchema.parse({ ...wire, receiver_id: "other" }).id).toBe(id);
  });

  it("rejects a station without an identifier", () => {
    for (const id of [undefined, null, "", 7]) expect(stationSchema.safeParse({ ...wire, id }).success).toBe(false);
  });

  it("accepts any value in any field except the identifier", () => {
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(wire).filter((k) => k !== "id")), fc.jsonValue(), (field, value) => {
        expect(stationSchema.parse({ ...wire, [field]: value }).id).toBe(wire.id);
      }),
      { numRuns: 500 },
    );
  });
});

const parsed = (network: object) => networkPageSchema.parse({ networks: [network] }).items[0]!;

describe("a network", () => {
  it("accepts any value in any field except the identifier", () => {
    const network = { id: "n", code: "C", name: "N", is_owner: true, visibility: "odd", is_internal: false };
    expect(parsed(network)).toMatchObject({ isOwner: true, visibility: "odd", isInternal: false });
    expect(parsed({ id: "n" })).toMatchObject({ isOwner: false, visibility: null, isInternal: null });
    const fields = fc.constantFrom(...Object.keys(network).filter((k) => k !== "id"), "created_at");
    fc.assert(
      fc.property(fields, fc.jsonValue(), (field, value) => {
        expect(parsed({ ...network, [field]: value }).id).toBe("n");
      }),
    );
  });
});

describe("the pagination of a response", () => {
  const stations = [wire, { ...wire, id: "second" }];
  const pages = (more: object) => stationPageSchema.parse({ stations, ...more }).pagination;

  it("is read in the current format", () => {
    const pagination = { page: 2, page_size: 2, total_items: 5, total_pages: 3 };
    expect(pages({ pagination })).toEqual({ page: 2, pageSize: 2, totalItems: 5, totalPages: 3 });
  });

  it("has its number of pages computed if the service omits it", () => {
    expect(pages({ pagination: { page: 1, page_size: 2, total_count: 5 } }).totalPages).toBe(3);
  });

  it("takes the number of rows as the page size if the service omits it, so that no page is skipped", () => {
    expect(pages({ total_count: 5 })).toEqual({ page: 1, pageSize: 2, totalItems: 5, totalPages: 3 });
    expect(pages({ pagination: { page: 1, total_items: 5 } }).totalPages).toBe(3);
  });

  it("defaults to one page of an unknown total if it is missing or invalid", () => {
    for (const pagination of [undefined, null, "x", [], { page: 0, total_items: -1 }]) {
      expect(pages({ pagination })).toEqual({ page: 1, pageSize: 2, totalItems: null, totalPages: 1 });
    }
    const empty = { page: 1, pageSize: 1, totalItems: null, totalPages: 0 };
    expect(stationPageSchema.parse({ stations: [] }).pagination).toEqual(empty);
    expect(networkPageSchema.parse({ networks: [{ id: "n" }] }).items).toHaveLength(1);
  });
});

describe("a response without a list", () => {
  it("is rejected, not read as an empty catalogue", () => {
    for (const body of [{}, { status: "ok" }, { stations: null }, { networks: [] }, [], null]) {
      expect(stationPageSchema.safeParse(body).success).toBe(false);
    }
    expect(networkPageSchema.safeParse({ stations: [] }).success).toBe(false);
  });
});

describe("error responses", () => {
  it("contain their message in every known format", () => {
    expect(errorSentence({ error: "too large" })).toBe("too large");
    expect(errorSentence({ message: "no such station", code: "NOT_FOUND", details: {} })).toBe("no such station");
    expect(errorSentence({ message: "odd", code: 7, details: "x", trace: 1 })).toBe("odd");
    for (const junk of [null, "text", 7, [], {}, { error: { message: "x" } }]) expect(errorSentence(junk)).toBeNull();
  });
});

/** The labels of stations of one name with these mountpoints. */
function named(mountpoints: readonly (string | null)[]): string[] {
  const heights = { ellipsoidalHeight: null, orthometricHeight: null };
  const stations = mountpoints.map((mountpoint, i) => ({
    ...stationSchema.parse({ ...wire, id: `id-${i}`, display_name: "Kallio", mountpoint }),
    ...heights,
  }));
  return [...stationLabels({ stations, withdrawn: [] }).values()];
}

it("stations of one name are told apart by their mountpoints, else by their ids", () => {
  expect(named(["MP0"])).toEqual(["Kallio"]);
  expect(named(["MP0", "MP1", null])).toEqual(["Kallio (MP0)", "Kallio (MP1)", "Kallio (id-2)"]);
  expect(named(["MP0", "MP0"])).toEqual(["Kallio (id-0)", "Kallio (id-1)"]);
});

it.each([
  ["\u202eevil gpj.exe", "‹U+202E›evil gpj.exe"],
  [" \t\u00a0", "7"],
  ["آبادان", "آبادان"],
])("a displayed name shows hidden characters by their codes, and is never blank: %j", (displayName, label) => {
  expect(stationLabel({ id: "7", displayName })).toBe(label);
});
