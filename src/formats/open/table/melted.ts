import { unitInName, unitNamed } from "#shared/file/units.ts";
import { type ColumnFacts, variableOfColumn } from "../meaning/columns.ts";
import { scaled } from "../meaning/values.ts";
import { isNoValueWord } from "../meaning/noValue.ts";
import type { Parameter, TableHead } from "./heads.ts";
import { isNumeric } from "./notation.ts";
import { hasQuantities } from "./roles.ts";

// Tables that have the unit of a number, or also what it is, in columns beside it: `station,time,variable,value,unit`.

export interface NumberColumn extends ColumnFacts {
  readonly at: number;
  readonly isOfRow?: (fields: readonly string[]) => boolean;
  readonly convert?: (value: number, fields: readonly string[]) => number;
}

/** The columns that have the unit of the number beside them in each row, each with the column of that number. */
export function unitColumns({ names, rows }: TableHead, numbers: readonly NumberColumn[]): ReadonlyMap<number, number> {
  const isOfUnits = (at: number): boolean =>
    OF_UNITS.test(names[at] ?? "") &&
    rows.some((row) => row[at]) &&
    rows.every((row) => !row[at] || unitNamed(row[at]) !== null);
  const columns = numbers.map(({ at }) => at).filter(isOfUnits);
  return new Map(
    columns.flatMap((unit) => {
      const beside = [unit - 1, unit + 1, names.findIndex((name) => /^value$/i.test(name))];
      const value = beside.find((at) => rows.some((row) => isNumeric(row[at] ?? "")));
      return value === undefined || !numbers.some(({ at }) => at === value) ? [] : [[unit, value]];
    }),
  );
}

/** Letters such as m may also be flags. */
const OF_UNITS = /units?|einheit|enhet|unidad|unité/i;

/** Adds the unit of its rows to a column of numbers, in which numbers in other units of its kind are converted to it. */
function withRowUnits(column: NumberColumn, unit: string, unitAt: number): NumberColumn {
  const ratios = new Map<string, number>();
  const ratioOf = (text: string): number => {
    const [own, other] = [unitNamed(unit)?.mm ?? Number.NaN, unitNamed(text)?.mm ?? Number.NaN];
    return text === unit ? 1 : other / own;
  };
  return {
    ...column,
    units: [...(column.units ?? []), { unit, by: "the units of its rows" }],
    convert(value, fields) {
      const text = (fields[unitAt] ?? "").trim();
      const ratio = ratios.get(text) ?? ratioOf(text);
      if (ratios.size < MAX_UNITS) ratios.set(text, ratio);
      return ratio === 1 ? value : scaled(value, ratio);
    },
  };
}

const MAX_UNITS = 1_000;

/** A table with a text in each row that says what its numbers are. */
type Melted = NonNullable<ReturnType<typeof meltedOf>>;

/** More are not quantities. */
export const MAX_PARAMETERS = 200;

/** Whether each text of a column goes with one unit, of several that cannot be converted to each other. */
function tellsUnits({ rows }: TableHead, at: number, unitAt: number): boolean {
  const units = [...Map.groupBy(rows, (row) => row[at]).values()].map((own) => new Set(own.map((row) => row[unitAt])));
  const kinds = new Set(units.map(([unit = ""]) => unitNamed(unit)?.mm ?? unitNamed(unit)?.name));
  return unitAt >= 0 && kinds.size > 1 && units.every(({ size }) => size === 1);
}

/** Finds the column that names the quantity of the numbers of each row; null without one. */
function meltedOf(head: TableHead, texts: readonly number[], unitAt: number) {
  const { rows, parameters } = head;
  const at = texts.find((each) => {
    const names = rows.map((row) => row[each] ?? "");
    return (hasQuantities(head, each) || tellsUnits(head, each, unitAt)) && !names.some(isNoValueWord);
  });
  if (at === undefined || parameters?.length === 0) return null;
  const found = rows.map((row): Parameter => ({ text: row[at] ?? "", unit: row[unitAt] || null }));
  const known = parameters ?? [...Map.groupBy(found, ({ text }) => text).values()].flatMap(([first]) => first ?? []);
  return { at, unitAt, parameters: known };
}

/**
 * The columns that a melted table would have otherwise, which read the same numbers: `ztd`, and of several numbers in a row
 * `ztd value` and `ztd sigma`.
 */
function unmelted(numbers: readonly NumberColumn[], { at, unitAt, parameters }: Melted, valueAt: number) {
  return parameters.flatMap(({ text, unit }) =>
    numbers.map((number) => {
      const { name, unit: stated } = unitInName(text);
      const further = numbers.length > 1 ? ` ${number.raw.name}` : "";
      const raw = { ...number.raw, name: name + further, longName: null, unit: stated ?? number.raw.unit };
      const column: NumberColumn = { ...number, heading: text + further, raw, isAsked: false };
      const isOfRow = (fields: readonly string[]): boolean => fields[at] === text;
      return { ...(unit === null || number.at !== valueAt ? column : withRowUnits(column, unit, unitAt)), isOfRow };
    }),
  );
}

/** The columns of numbers, by the columns that tell what the numbers of a row are, and their units. */
export function ofRows(head: TableHead, all: readonly NumberColumn[], units: ReadonlyMap<number, number>) {
  const isText = ({ at }: NumberColumn): boolean => !head.rows.some((row) => isNumeric(row[at] ?? ""));
  const texts = all.filter((column) => isText(column) && !units.has(column.at)).map(({ at }) => at);
  const values = all.filter((column) => !isText(column));
  const unitOf = ({ at }: NumberColumn): number => [...units].find(([, value]) => value === at)?.[0] ?? -1;
  const isPlain = values.length > 0 && values.every((each) => !each.stated && variableOfColumn(each) === null);
  const melted = isPlain ? meltedOf(head, texts, Math.max(...values.map(unitOf))) : null;
  if (melted) return { melted, numbers: unmelted(values, melted, units.get(melted.unitAt) ?? -1) };
  const numbers = all.flatMap((column): NumberColumn[] => {
    const unitAt = unitOf(column);
    const unit = head.rows.map((row) => row[unitAt] ?? "").find(Boolean);
    if (units.has(column.at)) return [];
    return [unit === undefined || column.stated ? column : withRowUnits(column, unit, unitAt)];
  });
  return { melted, numbers };
}
