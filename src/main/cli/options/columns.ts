import {
  type ChosenColumn,
  type ChosenColumns,
  COLUMN_ROLES,
  type ColumnRole,
  type Remember,
  roleWord,
  TIME_ROLES,
  unitFor,
  unitsOf,
} from "#shared/file/columns.ts";
import { failure, success } from "#shared/service/error.ts";
import { SCALAR_VARIABLES } from "#shared/service/variables.ts";
import type { OpenOptions } from "#formats/open/index.ts";
import type { Shell } from "../shell.ts";
import type { Parsed } from "../command.ts";

const ROLES: ReadonlyMap<string, ColumnRole> = new Map(COLUMN_ROLES.map((role) => [roleWord(role), role]));

export const ROLE_WORDS = [...ROLES.keys()].join(", ");

/** Parses `NAME=ROLE` or `NAME=ROLE:UNIT`; the name may be the number of the column, from 1. */
export function parseColumn(text: string): Parsed<ChosenColumn> {
  const at = text.lastIndexOf("=");
  const column = text.slice(0, at).trim();
  const [, word = "", unitWord] = /^([^:]*)(?::(.*))?$/.exec(text.slice(at + 1)) ?? [];
  if (at < 1 || column === "") return failure(`“${text}” is not a column. Write NAME=ROLE, for example t=time.`);
  const role = ROLES.get(word.trim().toLowerCase());
  if (role === undefined) return failure(`“${word}” is not a role of a column. Choose one of ${ROLE_WORDS}.`);
  if (unitWord === undefined) return success({ column, role, unit: null });
  const unit = unitFor(role, unitWord);
  if (unit !== null) return success({ column, role, unit });
  if (unitsOf(role).length === 0)
    return failure(`A unit is only for ${SCALAR_VARIABLES.join(", ")} and times. Write ${column}=${roleWord(role)}.`);
  const units = TIME_ROLES.has(role) ? "UTC, GPS, BDT, TAI, TT, UTC+5:30 or Europe/Helsinki" : unitsOf(role).join(", ");
  return failure(`“${unitWord}” is not a unit of ${roleWord(role)}. Choose one of ${units}.`);
}

/** Options for reading tables: with the given columns, and the answers that are saved for tables with the same header. */
export function columnOptions(
  shell: Pick<Shell, "app">,
  columns?: ChosenColumns,
): Pick<OpenOptions, "columns"> & { readonly remembered: Remember } {
  return {
    ...(columns ? { columns } : {}),
    // If the data folder is unusable, the file can still be read.
    remembered: (header) =>
      shell.app().then(
        ({ columnChoices }) => columnChoices.answering().remembered(header, null),
        () => null,
      ),
  };
}

/** Options that say what columns mean: `--column "trop=ztd:m"`. */
export function columnWords(choices: readonly ChosenColumn[]): string {
  const words = choices.map(
    ({ column, role, unit }) => `"${column}=${roleWord(role)}${unit === null ? "" : `:${unit}`}"`,
  );
  return [...new Set(words)].map((word) => `--column ${word}`).join(" or ");
}
