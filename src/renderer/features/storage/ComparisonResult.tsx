import type { ComparedPiece, RevisedRow } from "#shared/bridge/methods/cache.ts";
import { variableInfo } from "#shared/service/variables.ts";
import { stationName, useCatalogue } from "../../stores/catalogue.ts";
import { utcMinutes, count, many, utc } from "../../ui/text.ts";
import classes from "./storage.module.css";

/** The result of a comparison with the service, for each part of the sample. */
export function ComparisonResult({ compared }: { readonly compared: readonly ComparedPiece[] }) {
  const byId = useCatalogue((s) => s.byId);
  return (
    <div className={classes["findings"]}>
      <p role="status">{verdictOf(compared)}</p>
      <ul>
        {compared.map((piece) => {
          const { stationId, variable, range, examples } = piece;
          return (
            <li key={stationId} className={classes["finding"]} data-different={examples.length > 0 || undefined}>
              <span className={classes["piece"]}>
                {stationName(byId, stationId)} · {variableInfo(variable).label} · {utcMinutes(range.startMs)} to{" "}
                {utcMinutes(range.endMs).slice(11)} UTC
              </span>
              <span>{findingOf(piece)}</span>
              {examples.map((row) => (
                <span key={row.timeMs} className={classes["example"]}>
                  {exampleText(piece, row)}
                </span>
              ))}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** Formats as "all 720 values are the same" or "2 revised, 1 deleted; 717 the same". */
function findingOf({ same, revised, deleted, added }: ComparedPiece): string {
  const before = same + revised + deleted;
  if (revised + deleted + added === 0)
    return before === 0 ? "no data, as before" : `all ${many(before, "value")} are the same`;
  const parts = [
    revised > 0 ? `${count(revised)} revised` : null,
    deleted > 0 ? `${count(deleted)} deleted` : null,
    added > 0 ? `${count(added)} new` : null,
  ].filter((part) => part !== null);
  return `${parts.join(", ")}; ${count(same)} the same`;
}

/** Summarizes the comparison in a sentence. */
function verdictOf(compared: readonly ComparedPiece[]): string {
  if (compared.length === 0) return "The sample is no longer cached. Compare another one.";
  const different = compared.filter((c) => c.revised + c.deleted + c.added > 0);
  if (different.length === 0) return "The service still has the same values.";
  return `The service has changed values in ${count(different.length)} of ${many(compared.length, "part")} of the sample. The cache was corrected; to be sure, delete these stations and fetch them again.`;
}

/** Formats as "2026-09-01 03:00:30 UTC: 2,411.3 mm → 2,409.8 mm". */
function exampleText({ variable }: ComparedPiece, { timeMs, before, after }: RevisedRow): string {
  const { unit } = variableInfo(variable);
  const text = (value: number | string | null): string => {
    if (value === null) return "none";
    return typeof value === "number" ? `${value}${unit ? ` ${unit}` : ""}` : value.slice(0, 80);
  };
  return `${utc(timeMs)} UTC: ${text(before)} → ${text(after)}`;
}
