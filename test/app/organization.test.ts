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
const sight: fc.Arbitrary<VisibleData> = fc.record({ stationIds: ids, networks });
const owner = ({ networks: all }: VisibleData): string[] => all.filter((n) => n.isOwner).map((n) => n.id);

describe("whether a key is of the organization whose data is cached", () => {
  it("is never answered with yes where the key may not see what is cached, unless it owns the same network", () => {
    fc.assert(
      fc.property(sight, sight, fc.nat(), (kept, seen, cut) => {
        const held = kept.stationIds.slice(0, cut % (kept.stationIds.length + 1));
        const answer = compareOrganizations(kept, held, seen);
        const isOpen = held.every((id) => seen.stationIds.includes(id));
        const isOwner = owner(kept).some((id) => owner(seen).includes(id));
        expect(answer !== "same" || isOpen || isOwner).toBe(true);
        // Two owners of nothing in common are two organizations, whatever both of them may see.
        const areStrangers = owner(kept).length > 0 && owner(seen).length > 0 && !isOwner;
        expect(answer === "other" || !areStrangers).toBe(true);
      }),
    );
  });

  it("is yes for the same sight, for one that gained stations, and for one that lost some of which nothing is cached", () => {
    fc.assert(
      fc.property(sight, ids, fc.nat(), (kept, more, cut) => {
        expect(compareOrganizations(kept, kept.stationIds, kept)).toBe("same");
        const gained = { ...kept, stationIds: [...new Set([...kept.stationIds, ...more])] };
        expect(compareOrganizations(kept, kept.stationIds, gained)).toBe("same");
        const lost = kept.stationIds.slice(cut % (Math.floor(kept.stationIds.length / 2) + 1));
        expect(compareOrganizations(kept, lost, { ...kept, stationIds: lost })).toBe("same");
      }),
    );
  });

  it("is unsure, and no loss of the cache, where a few stations with data are gone and no one owns a network", () => {
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
