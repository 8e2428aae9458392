import { type Column, columnsIn, type LineReader, type Recipe } from "./recipe.ts";
import { fieldsOf } from "./records.ts";

/**
 * BADC-CSV 1 of the Centre for Environmental Data Analysis, compared with files of MIDAS Open: lines of a label, a column or
 * G for all, and values; below the line `data`, names and rows.
 */
export const BADC_CSV: Recipe = {
  name: "BADC-CSV (1)",
  open(lines) {
    const start = lines.findIndex((line) => /^data,*\s*$/i.test(line));
    if (start < 0 || !/^"?conventions"?,"?G"?,"?BADC-CSV/i.test(lines[0] ?? "")) return null;
    const head = lines.slice(0, start).map((line) => fieldsOf(line, ","));
    const of = (label: string, column: string): string[] =>
      head.find(([key, about]) => key?.toLowerCase() === label && about === column)?.slice(2) ?? [];
    const names = fieldsOf(lines[start + 1] ?? "", ",");
    const columns = names.map((name): Column => {
      const [longName = null, unit = null] = of("long_name", name);
      // Names may be the numbers of the columns.
      const own = /^\d+$/.test(name) && longName !== null ? longName : name;
      return [own, unit, longName, of("standard_name", name)[0] ?? null];
    });
    const [latitude, longitude, ...box] = of("location", "G");
    const place =
      box.length > 0 || longitude === undefined ? {} : { latitude, longitude, height: of("height", "G")[0] };
    const site = Object.entries({ station: of("observation_station", "G")[0], ...place }).flatMap(
      ([name, value]): [string, string][] => (value === undefined ? [] : [[name, value]]),
    );
    const constants = site.map(([, value]) => value);
    const reader = (): LineReader => {
      let toSkip = start + 2;
      return (line) => {
        const fields = toSkip-- > 0 ? [] : fieldsOf(line, ",");
        return fields.length === names.length ? [...fields, ...constants] : null;
      };
    };
    const [noValue] = of("missing_value", "G");
    return { scale: null, columns: [...columns, ...columnsIn(null, ...site.map(([name]) => name))], reader, noValue };
  },
};
