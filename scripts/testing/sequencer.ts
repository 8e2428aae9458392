import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** What takes long: programs that are killed, whole applications, browsers. Nothing long is to be alone at the end. */
const LONG_FIRST = [
  "endurance",
  "hostile",
  "neighbours",
  "e2e",
  "electron",
  "renderer",
  "web",
  "cli",
  "sync",
  "store",
  "app",
];

/** Of each project the folders with the longest files first, and of a folder the longest, or largest, file first. */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- no array's: that of a sequencer
    const sorted = await super.sort(files);
    // Files of one project stay beside each other: they share processes.
    return sorted.toSorted((a, b) => a.project.name.localeCompare(b.project.name) || rankOf(a) - rankOf(b));
  }
}

function rankOf({ moduleId, project }: TestSpecification): number {
  const [, folder = ""] = relative(project.config.root, moduleId).split(/[\\/]/);
  const rank = LONG_FIRST.indexOf(folder);
  return rank < 0 ? LONG_FIRST.length : rank;
}
