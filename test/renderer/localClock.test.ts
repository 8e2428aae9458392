import { afterAll, beforeAll, expect, it } from "vitest";

type Text = typeof import("#renderer/ui/text.ts");

const originalZone = process.env.TZ;
let text: Text;
beforeAll(async () => {
  process.env.TZ = "Europe/London";
  text = await import("#renderer/ui/text.ts");
});
afterAll(() => {
  if (originalZone === undefined) delete process.env.TZ;
  else process.env.TZ = originalZone;
});

it("local time is shown for times at which it differs from UTC", () => {
  expect(text.localClock(Date.UTC(2026, 6, 1, 12, 0, 30))).toBe("13:00:30");
  expect(text.localClock(Date.UTC(2026, 0, 1, 12, 0, 30))).toBeNull();
  // After midnight here, before it in UTC.
  expect(text.localClock(Date.UTC(2026, 6, 31, 23, 21))).toBe("2026-08-01 00:21:00");
});

it("local time is shown with its offset, so that it can be typed back", () => {
  expect(text.local(Date.UTC(2026, 6, 1, 12))).toBe("2026-07-01 13:00 +01:00");
  expect(text.local(Date.UTC(2026, 0, 1, 12))).toBe("2026-01-01 12:00 +00:00");
});
