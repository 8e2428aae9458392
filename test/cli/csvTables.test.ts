import { expect, it } from "vitest";
import { openTrial } from "./trial.ts";

const DAY = ["--day", "2026-10-05", "--vars", "ztd"];
const { home } = await openTrial(["fetch", "Torsvika", ...DAY]);

it.each([
  [["stations", "--data-folder", ""]],
  [["group", "add", "", "Torsvika"]],
  [["schedule", "add", " ", "Torsvika", "--daily", "06:30"]],
  [["export", "Torsvika", ...DAY, "--out", ""]],
])("a word that is empty is refused: %j", async (words) => {
  expect(await home.run(words)).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("is empty") });
});
