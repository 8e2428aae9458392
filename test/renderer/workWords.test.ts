import { expect, test } from "vitest";
import type { Job } from "#shared/bridge/methods/jobs.ts";
import {
  fetchWords,
  forbiddenWords,
  intervalChoices,
  intervalWords,
  knownWords,
  OTHER_INTERVAL,
  parseInterval,
} from "#renderer/features/fetch/labels.ts";
import { isFetching } from "#renderer/stores/work.ts";
import type { Variable } from "#shared/service/variables.ts";

test.each([
  ["900", 900],
  ["10 min", 600],
  ["90s", 90],
  [" 2 H ", 7_200],
  ["1d", 86_400],
  ["29 s", null],
  ["0", null],
  ["10 moons", null],
  ["-60", null],
  ["", null],
  ["99999999 d", null],
])("the interval %j is parsed as %j", (text, seconds) => expect(parseInterval(text)).toBe(seconds));

const isOf = (state: string, stationIds = ["b", "c"], variable: Variable | null = null): boolean =>
  isFetching({ state, spec: { stationIds: ["a", "b"], variables: ["ztd"] } } as unknown as Job, stationIds, variable);

test("a download counts for the views of its own stations and variables, while it runs or waits for its turn", () => {
  expect([isOf("running"), isOf("queued"), isOf("running", ["b"], "ztd")]).toEqual([true, true, true]);
  expect([isOf("done"), isOf("running", ["c"]), isOf("running", ["b"], "pwv")]).toEqual([false, false, false]);
});

test("a chosen interval is added to the list of intervals", () => {
  const values = intervalChoices(540).map((c) => c.value);
  expect(values.indexOf(540)).toBe(values.indexOf(900) - 1);
  expect(values.at(-1)).toBe(OTHER_INTERVAL);
  expect([null, 540, 86_400].map((seconds) => intervalWords(seconds))).toEqual([
    "Every observation",
    "9 min means",
    "1 day means",
  ]);
  expect(intervalWords(86_400, "Europe/Helsinki")).toBe("1 day means (Europe/Helsinki)");
});

test("the button of a download shows its cost", () => {
  const estimate = {
    pointsRequested: 90_000,
    pointsKnown: 3_600,
    pointsToFetch: 86_400,
    requests: 9,
    bodyBytes: 1,
    seconds: 12,
    forbiddenStationIds: [],
  };
  expect(knownWords(estimate)).toBe("3,600 of 90,000 points are downloaded");
  expect(fetchWords(estimate, false)).toBe("Fetch 86,400 points · ~9 requests · ~12 s");
  expect(fetchWords({ ...estimate, seconds: null, requests: 1 }, true)).toBe(
    "Fetch when online: 86,400 points · ~1 request",
  );
  expect(forbiddenWords(estimate)).toBeNull();
  expect(forbiddenWords({ ...estimate, forbiddenStationIds: ["a"] })).toBe("No access to 1 station");
  expect(forbiddenWords({ ...estimate, forbiddenStationIds: ["a", "b"] })).toBe("No access to 2 stations");
});
