import type { ComparedPiece } from "#shared/bridge/methods/cache.ts";
import { variableInfo } from "#shared/service/variables.ts";
import { stationName, useCatalogue } from "../../stores/catalogue.ts";
import { utcMinutes } from "../../ui/text.ts";
import { exampleText, findingOf, verdictOf } from "./compared.ts";
import classes from "./storage.module.css";

/** What a comparison found, piece by piece. */
export function Compared({ compared }: { readonly compared: readonly ComparedPiece[] }) {
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
