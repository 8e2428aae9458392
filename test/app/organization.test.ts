import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareOrganizations, type VisibleData } from "#main/app/connections/organization.ts";

const ids = fc.uniqueArray(
  fc.integer({ min: 0, max: 30 }).map((n) => `s${n}`),
  { maxLength: 30 },
);
const networks = fc.uniqueArray(fc.record({ id: fc.constantFrom("a", "b", "c"), isOwner: fc.boolean() }), {
  selector: (n) => n.id,
});
const visibleData: fc.Arbitrary<VisibleData> = fc.record({ stationIds: ids, networks });
const owner = ({ networks: all }: VisibleData): string[] => all.filter((n) => n.isOwner).map((n) => n.id);

describe("compareOrganizations", () => {
  it("returns “same” only if the key shows all cached stations or owns the same network", () => {
    fc.assert(
      fc.property(visibleData, visibleData, fc.nat(), (kept, seen, cut) => {
        const held = kept.stationIds.slice(0, cut % (kept.stationIds.length + 1));
        const result = compareOrganizations(kept, held, seen);
        const isOpen = held.every((id) => seen.stationIds.includes(id));
        const isOwner = owner(kept).some((id) => owner(seen).includes(id));
        expect(result !== "same" || isOpen || isOwner).toBe(true);
        // Owners without a common network are different organizations, even if they see the same stations.
        const areStrangers = owner(kept).length > 0 && owner(seen).length > 0 && !isOwner;
        expect(result === "other" || !areStrangers).toBe(true);
      }),
    );
  });

  it("returns “same” for the same stations, for more, and for fewer if no data of the others is cached", () => {
    fc.assert(
      fc.property(visibleData, ids, fc.nat(), (kept, more, cut) => {
        expect(compareOrganizations(kept, kept.stationIds, kept)).toBe("same");
        const gained = { ...kept, stationIds: [...new Set([...kept.stationIds, ...more])] };
        expect(compareOrganizations(kept, kept.stationIds, gained)).toBe("same");
        const lost = kept.stationIds.slice(cut % (Math.floor(kept.stationIds.length / 2) + 1));
        expect(compareOrganizations(kept, lost, { ...kept, stationIds: lost })).toBe("same");
      }),
    );
  });

  it("returns “unsure” if a few stations with data are missing and no network is owned", () => {
    const kept = { stationIds: ["a", "b", "c", "d"], networks: [{ id: "n", isOwner: false }] };
    const seen = { ...kept, stationIds: ["a", "b", "c", "e"] };
    expect(compareOrganizations(kept, ["a", "d"], seen)).toBe("unsure");
    expect(compareOrganizations(kept, ["a", "b"], seen)).toBe("same");
    expect(compareOrganizations(kept, ["a"], { ...kept, stationIds: ["a", "x", "y"] })).toBe("other");
    const mine = { ...kept, networks: [{ id: "n", isOwner: true }] };
    expect(compareOrganizations(mine, ["a", "d"], { ...mine, stationIds: ["a"] })).toBe("same");
    expect(compareOrganizations(mine, ["a"], { ...mine, networks: [{ id: "m", isOwner: true }] })).toBe("other");
  });
});
