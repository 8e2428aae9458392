import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Folders with slow tests (killed programs, whole applications, browsers), which start first to keep all workers busy. */
const LONG_FIRST = [
  "endurance",
  "hostile",
  "neighbours",
  "e2e",
  "electron",
  "views",
  "renderer",
  "web",
  "cli",
  "sync",
  "store",
  "app",
];

/** Sorts the folders with slow tests first in each project, and slow or large files first in each folder. */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- no array's: that of a sequencer
    const sorted = await super.sort(files);
    // Files of a project stay together, because they share processes.
    return sorted.toSorted((a, b) => a.project.name.localeCompare(b.project.name) || rankOf(a) - rankOf(b));
  }
}

function rankOf({ moduleId, project }: TestSpecification): number {
  const [, folder = ""] = relative(project.config.root, moduleId).split(/[\\/]/);
  const rank = LONG_FIRST.indexOf(folder);
  return rank < 0 ? LONG_FIRST.length : rank;
}
