import { type Variable, variableInfo } from "#shared/service/variables.ts";

export interface ColumnMeaning {
  readonly unit: string;
  readonly meaning: string;
  /** By the conventions for climate and forecast metadata (CF). */
  readonly standard_name?: string;
}

/** What each column of a table holds, with its unit, for those who read the file without this program. */
export function columnMeanings(variables: readonly Variable[]): Record<string, ColumnMeaning> {
  return Object.fromEntries(
    variables.map((v) => {
      const { unit, label, meaning, column, standardName } = variableInfo(v);
      const named = standardName === undefined ? {} : { standard_name: standardName };
      return [column, { unit, meaning: `${label}. ${meaning}`, ...named }];
    }),
  );
}
