import { afterAll, beforeAll, expect, it } from "vitest";

type Text = typeof import("../../src/renderer/ui/text.ts");

const own = process.env.TZ;
let text: Text;
beforeAll(async () => {
  process.env.TZ = "Europe/London";
  text = await import("../../src/renderer/ui/text.ts");
});
afterAll(() => {
  if (own === undefined) delete process.env.TZ;
  else process.env.TZ = own;
});

it("tells the clock of this computer wherever it is not UTC, whatever the season is now", () => {
  expect(text.localClock(Date.UTC(2026, 6, 1, 12, 0, 30))).toBe("13:00:30");
  expect(text.localClock(Date.UTC(2026, 0, 1, 12, 0, 30))).toBeNull();
});
