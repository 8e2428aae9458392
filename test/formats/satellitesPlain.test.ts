import * as fc from "fast-check";
import { expect, it } from "vitest";
import { BandRegistry, parseCn0 } from "#shared/satellites/cn0.ts";
import { SatelliteParser, valueAt, parsePlain } from "#shared/satellites/parse.ts";
import { parseValue, UNREADABLE } from "#shared/satellites/values.ts";

const decimal = fc.oneof(
  fc.integer({ min: 0, max: 999 }).map((tenths) => (tenths / 10).toFixed(1)),
  fc.string({ unit: fc.constantFrom(..."0123456789."), maxLength: 18 }),
);
const item = fc.array(decimal, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/"));
const texts = fc.array(fc.array(item, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 5 });

it("the fast parser reads plain lists as the full parser does, row after row", () => {
  fc.assert(
    fc.property(texts, (rows) => {
      const [fast, full] = [new BandRegistry(), new BandRegistry()];
      const parser = new SatelliteParser(fast);
      for (const items of rows) {
        const names = items.map((_, i) => `G${i + 1}`).join(",");
        const seen = parser.parse(names, null, null, items.join(","));
        const expected = parseCn0(items.join(","), items.length, full);
        expect(fast.names).toEqual(full.names);
        for (let band = 0; band < full.names.length; band++)
          for (const index of seen.index)
            expect(valueAt(seen.cn0DbHz[band], index)).toBe(valueAt(expected?.values[band], index));
      }
    }),
    { numRuns: 1_000 },
  );
});

it("the fast parser accepts only lists that it reads as the full parser does", () => {
  const anything = fc.string({ unit: fc.constantFrom(..."0123.,/;- e") });
  fc.assert(
    fc.property(anything, fc.integer({ min: 1, max: 4 }), (text, items) => {
      const columns: Float64Array[] = [];
      if (parsePlain(text, items, columns, 1) === 0) return;
      const cut = text.split(",");
      expect(cut).toHaveLength(items);
      expect([...columns[0]!.subarray(0, items)]).toEqual(cut.map(parseValue));
      expect(cut.map(parseValue)).not.toContain(UNREADABLE);
    }),
    { numRuns: 3_000 },
  );
});
