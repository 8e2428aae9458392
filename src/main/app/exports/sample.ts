import type { Column } from "#shared/series/rows.ts";
import { variableKind } from "#shared/service/variables.ts";
import { type ExportPart, readBlocks } from "../../export/source.ts";

/** Averages over a few rows, from which the size of a file is estimated without reading it all. */
interface Sample {
  /** Rows of the file per epoch: 1 for scalar variables, else the number of satellites in view. */
  readonly rowsPerEpoch: number;
  /** Characters of one row's values, written as text. */
  readonly charactersPerRow: number;
}

const SAMPLED_ROWS = 300;

/** Samples the first station with rows; null if none has any. */
export function sample({ cache, request, stations, variables }: ExportPart): Sample | null {
  for (const station of stations) {
    for (const block of readBlocks(cache, { ...request, variables }, station)) {
      const epochs = Math.min(SAMPLED_ROWS, block.timesMs.length);
      if (epochs === 0) continue;
      const characters = variables.reduce((sum, v) => sum + charactersOf(block.columns[v], epochs), 0);
      if (variables.every((v) => variableKind(v) === "scalar"))
        return { rowsPerEpoch: 1, charactersPerRow: characters / epochs };
      const satellites = satellitesOf(block.columns.prn, epochs);
      return satellites === 0 ? null : { rowsPerEpoch: satellites / epochs, charactersPerRow: characters / satellites };
    }
  }
  return null;
}

function charactersOf(column: Column | undefined, epochs: number): number {
  if (!column) return 0;
  let sum = 0;
  for (let i = 0; i < epochs; i++) {
    const value = column.values[i];
    if (typeof value === "string") sum += value.length;
    else if (typeof value === "number" && !Number.isNaN(value)) sum += String(value).length;
  }
  return sum;
}

function satellitesOf(prn: Column | undefined, epochs: number): number {
  if (prn?.kind !== "text") return 0;
  let sum = 0;
  for (const text of prn.values.slice(0, epochs)) if (text) sum += text.split(",").length;
  return sum;
}
