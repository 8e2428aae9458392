import { unitInName } from "#shared/file/units.ts";
import { FormatFailure } from "../../error.ts";
import type { AxisSlice, NetcdfFile, NetcdfVariable } from "../../netcdf/read.ts";
import { type ColumnFacts, describedBy, surveyed } from "../meaning/columns.ts";
import { type StationHeading, stationHeadings } from "../meaning/stationHeadings.ts";
import type { NamedFile } from "../meaning/named.ts";
import { Finisher, noteValues } from "../meaning/values.ts";
import type { Notes } from "../notes.ts";
import { ownName, packingOf, quantityOf, textAttribute, unpackNumbers } from "./attributes.ts";

/** Values that are looked at along the first axis, at its start, middle and end, and along each other one. */
const [SAMPLED, SAMPLED_ACROSS] = [1_000, 4];
/** Values in the chunks that are read for each of these parts, at most: whole chunks are unpacked. */
const MAX_UNPACKED = 2_000_000;
/** Number of variables up to which also those are looked at that need no unit to be decided: each takes some milliseconds. */
const MAX_OTHERS = 50;

/** Decides what the variables of a file mean: by their units and samples of their values, and the user's choice. */
export function variableMeanings(
  file: NetcdfFile,
  variables: readonly NetcdfVariable[],
  { notes, named }: { readonly notes: Notes; readonly named: NamedFile },
) {
  const headings = stationHeadings(variables.map(ownName));
  const columns = surveyed(named.chosen(variables.map((variable, i) => factsOf(variable, headings[i] ?? null))));
  const samples = variables.map((variable, i) =>
    columns[i]?.survey || i < MAX_OTHERS ? samplesOf(file, variable) : new Float64Array(0),
  );
  for (const [i, values] of samples.entries()) for (const value of values) columns[i]?.survey?.add(value);
  const first = samples.map((values) => values.slice(0, 3).join(" · "));
  const { meanings, table } = named.meanings(file.format, columns, first);
  for (const meaning of meanings) if (meaning?.words) notes.add(`${meaning.words}: the file does not tell its unit.`);
  const known = variables.flatMap((variable, i) => (meanings[i] ? [[variable, meanings[i]] as const] : []));
  // Other values than the samples are read only when they are shown.
  const finishers = samples.flatMap((values, i) => {
    const finisher = meanings[i] ? [new Finisher(meanings[i])] : [];
    finisher[0]?.finished(values);
    return finisher;
  });
  const isWhole = variables.every(({ shape }, i) => samples[i]?.length === sizeOf(shape));
  noteValues(finishers, notes, isWhole ? "" : ", among those looked at");
  return { table, meanings: new Map(known) };
}

function factsOf(variable: NetcdfVariable, station: StationHeading | null): ColumnFacts {
  const raw = quantityOf(variable);
  // A statistic of a quantity is another one (CF-1.8, appendix E).
  const isStatistic = /\b(standard_deviation|variance|range|mid_range|maximum|minimum|median|sum)\b/.test(
    textAttribute(variable, "cell_methods") ?? "",
  );
  if (isStatistic) return { ...describedBy(raw), stated: { variable: null, unit: null } };
  if (!station) return describedBy(raw);
  const { quantity, label, stationId } = station;
  const { name, unit } = unitInName(quantity);
  const series = { label, stationId };
  return { ...describedBy(raw), raw: { ...raw, name, unit: raw.unit ?? unit }, series };
}

function samplesOf(file: NetcdfFile, variable: NetcdfVariable): Float64Array<ArrayBuffer> {
  const packing = packingOf(variable);
  const parts = sampledSlices(variable).flatMap((slices) => {
    try {
      return [unpackNumbers(file.read(variable.name, slices), packing)];
    } catch (thrown) {
      // Damage is reported when the values are shown, and costs this variable alone.
      if (thrown instanceof FormatFailure && thrown.error.kind === "unreadable") return [];
      throw thrown;
    }
  });
  return Float64Array.from(parts.flatMap((part) => [...part]));
}

function sampledSlices({ shape, chunk }: NetcdfVariable): AxisSlice[][] {
  const [length = 1, ...across] = shape;
  const chunks = Math.ceil(MAX_UNPACKED / sizeOf(chunk ?? [MAX_UNPACKED]));
  const size = Math.min(SAMPLED, chunks * (chunk?.[0] ?? SAMPLED));
  const starts = [0, Math.floor((length - size) / 2), length - size];
  const slices = length <= 3 * size ? [[0, length] as const] : starts.map((start) => [start, start + size] as const);
  if (shape.length === 0) return [[]];
  return slices.map((slice) => [slice, ...across.map((n): AxisSlice => [0, Math.min(n, SAMPLED_ACROSS)])]);
}

function sizeOf(shape: readonly number[]): number {
  return shape.reduce((size, n) => size * n, 1);
}
