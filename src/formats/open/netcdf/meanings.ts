import type { AxisSlice, NetcdfFile, NetcdfVariable } from "../../netcdf/read.ts";
import { type ColumnFacts, type ColumnMeaning, meaningsOf, surveysOf } from "../meaning/columns.ts";
import type { Notes } from "../notes.ts";
import { packingOf, textOf, unpack } from "./attributes.ts";
import { ownName } from "./structure.ts";

/** Values that are looked at along the first axis, at its start, middle and end, and along each other one. */
const [SAMPLED, SAMPLED_ACROSS] = [1_000, 16];

/** Decides what the variables of a file mean: by their units, or, without any, by samples of their values. */
export function variableMeanings(
  file: NetcdfFile,
  variables: readonly NetcdfVariable[],
  notes: Notes,
): ReadonlyMap<NetcdfVariable, ColumnMeaning> {
  const facts = variables.map((variable) => factsOf(variable));
  const surveys = surveysOf(facts);
  for (const [i, variable] of variables.entries())
    if (facts[i]?.raw.unit === null)
      for (const slices of samplesOf(variable))
        for (const value of unpack(file.read(variable.name, slices), packingOf(variable))) surveys[i]?.add(value);
  const { meanings, questions } = meaningsOf(facts, surveys);
  for (const { sentence } of questions) notes.add(`${sentence} It is shown without a unit.`);
  for (const meaning of meanings) if (meaning?.words) notes.add(`${meaning.words}: the file does not tell its unit.`);
  return new Map(variables.flatMap((variable, i) => (meanings[i] ? [[variable, meanings[i]] as const] : [])));
}

function factsOf(variable: NetcdfVariable): ColumnFacts {
  const raw = {
    name: ownName(variable),
    longName: textOf(variable, "long_name"),
    standardName: textOf(variable, "standard_name"),
    unit: textOf(variable, "units"),
  };
  return { heading: raw.name, raw, unitBy: "its units", isDefined: true };
}

function samplesOf({ shape }: NetcdfVariable): AxisSlice[][] {
  const [length = 1, ...across] = shape;
  const starts = [0, Math.floor((length - SAMPLED) / 2), length - SAMPLED].map((start) => Math.max(0, start));
  return [...new Set(starts)].map((start) =>
    shape.length === 0
      ? []
      : [[start, Math.min(length, start + SAMPLED)], ...across.map((n): AxisSlice => [0, Math.min(n, SAMPLED_ACROSS)])],
  );
}
