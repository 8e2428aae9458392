import type { AxisSlice, NetcdfVariable } from "../../netcdf/read.ts";
import { stationNamed } from "../meaning/stations.ts";
import { describedBy } from "../meaning/columns.ts";
import type { NamedFile } from "../meaning/named.ts";
import { createNotes } from "../notes.ts";
import { recordHead } from "../table/heads.ts";
import { SAMPLE_ROWS } from "../table/lines.ts";
import type { TableSource } from "../table/source.ts";
import { type NamedScale, UTC } from "../time/scale.ts";
import { aboutOf, isNumeric, ownName, quantityOf, textAttribute } from "./attributes.ts";
import type { Family } from "./families.ts";
import { isColumn, recordsIn } from "./partTimes.ts";
import { isPosition, type Structure } from "./structure.ts";
import { timeVariables, type TimeVariable } from "./times.ts";

const BATCH_ROWS = 5_000;

/**
 * Returns the records of a file whose variables are the columns of a table: along one dimension, with several
 * stations, or times that repeat or start again and a variable of texts, station numbers or places. MADIS and pandas' `to_xarray` write such files. null for others.
 */
export function flatTable(structure: Structure, families: readonly Family[]): TableSource | null {
  const { file } = structure;
  const [first] = families;
  const dimension = first?.axis.dimension ?? null;
  const isFlat = families.every(
    ({ axis, instanceDimension, extraDimensions }) =>
      axis.instances === null &&
      axis.dimension === dimension &&
      instanceDimension === null &&
      extraDimensions.length === 0,
  );
  if (!first || dimension === null || !isFlat) return null;
  const { hasRepeats, isSorted } = first.axis.survey(0);
  // The table converts its times.
  const said = new Map<string, readonly NamedScale[]>();
  const scaleOf: NamedFile["scaleOf"] = (name, scales) => {
    said.set(name, scales);
    return { scale: UTC, by: "" };
  };
  const times = timeVariables(structure, createNotes(), { scaleOf });
  const time = times.find(({ variable }) => first.axisKey === `plain:${variable.name}`);
  const ofTime = new Set([...structure.times, ...structure.partTimes.flatMap(({ variables }) => variables)]);
  const columns = file.variables.filter((v) => isColumn(v, dimension) && !ofTime.has(v));
  const hasPlaces = columns.filter(isPosition).length === 2;
  const hasKey = hasPlaces || columns.some((v) => !isNumeric(v) || isStation(v) || isWhole(v));
  const isOfSeveral = hasRepeats || !isSorted || columns.some((variable) => hasStations(structure, variable));
  if (!time || !hasKey || !isOfSeveral) return null;
  const rows = timedRecords(structure, time, columns, [0, SAMPLE_ROWS]);
  const names = ["time", ...columns.map(ownName)];
  const head = recordHead(names.join(","), names, rows);
  if (!head) return null;
  const comments = (said.get(ownName(time.variable)) ?? []).map(({ text }) => `time system: ${text}`);
  return {
    ...aboutOf(file),
    heads: [{ ...head, facts: [null, ...columns.map((column) => describedBy(quantityOf(column)))], comments }],
    *records() {
      const length = time.shape[0] ?? 0;
      for (let at = 0; at < length; at += BATCH_ROWS)
        yield timedRecords(structure, time, columns, [at, at + BATCH_ROWS]);
    },
    remarks: [`Variables along ${ownName({ name: dimension })} are read as the columns of a table.`],
  };
}

/** Whether a variable has whole numbers, which may be those of stations. */
function isWhole(variable: NetcdfVariable): boolean {
  const isPacked = ["scale_factor", "flag_values", "flag_masks"].some((name) => name in variable.attributes);
  return /^u?(short|int|int64)$/.test(variable.type) && !isPacked;
}

function timedRecords(
  { file }: Structure,
  time: TimeVariable,
  columns: readonly NetcdfVariable[],
  [from, end]: AxisSlice,
): string[][] {
  const slice: AxisSlice = [from, Math.min(end, time.shape[0] ?? 0)];
  const times = time.read([slice]);
  return recordsIn(file, columns, slice).map((record, i) => {
    const ms = times[i] ?? Number.NaN;
    return [Number.isNaN(ms) ? "" : new Date(ms).toISOString().replace("Z", ""), ...record];
  });
}

function isStation(variable: NetcdfVariable): boolean {
  return textAttribute(variable, "cf_role") === "timeseries_id" || stationNamed(ownName(variable)) !== null;
}

/** Whether a variable names several stations, one for each step. */
function hasStations({ file }: Structure, variable: NetcdfVariable): boolean {
  if (!isStation(variable) || (isNumeric(variable) && !isWhole(variable))) return false;
  const [first, ...more] = recordsIn(file, [variable], [0, variable.shape[0] ?? 0]).map(([text]) => text);
  return more.some((text) => text !== first);
}
