import type { ExportForecast } from "#shared/bridge/methods/export.ts";
import { MOSTLY_EMPTY } from "#shared/file/export.ts";
import { bytes, count, many } from "../../ui/text.ts";
import classes from "./export.module.css";

const MOST_NAMED = 2;

/** Rows and size of the file, and what is written beside it. */
export function Estimate({ forecast }: { readonly forecast: ExportForecast }) {
  const others = forecast.fileNames.slice(1).filter((name) => !name.endsWith(".json"));
  const { emptyShare } = forecast;
  const more = others.length - MOST_NAMED;
  return (
    <p className={classes["said"]} role="status">
      {many(forecast.rows, "row")}, about {bytes(forecast.bytes)}; a description (.json) beside it
      {others.length === 0 ? "." : ", and"}
      {others.slice(0, MOST_NAMED).map((name) => (
        <span key={name} className={classes["file"]}>
          {name}
        </span>
      ))}
      {more > 0 ? <span className={classes["file"]}>and {count(more)} more</span> : null}
      {emptyShare !== null && emptyShare > MOSTLY_EMPTY ? (
        <span className={classes["file"]}>
          {Math.floor(100 * emptyShare)} % of the grid would be empty: a ragged file is smaller.
        </span>
      ) : null}
    </p>
  );
}
