import { BinsFigure } from "./BinsFigure.tsx";
import type { ChoicesHandle, Shown } from "../choices.ts";
import { HeatFigure } from "./HeatFigure.tsx";
import type { SkyQuery } from "../data/loader.ts";
import { MomentValues } from "./MomentValues.tsx";
import classes from "../satellites.module.css";
import { SkyFigure } from "./SkyFigure.tsx";
import { ViewFigure } from "./ViewFigure.tsx";

interface FiguresProps {
  readonly shown: Shown;
  readonly query: SkyQuery;
  readonly change: ChoicesHandle["change"];
}

/** The figures, or the values of the moment, above the time controls. */
export function Figures({ shown, query, change }: FiguresProps) {
  return (
    <div className={classes["body"]}>
      {shown.choices.body === "values" ? (
        <MomentValues shown={shown} query={query} />
      ) : (
        <div className={classes["figures"]}>
          <SkyFigure shown={shown} change={change} />
          <BinsFigure shown={shown} change={change} />
          <HeatFigure shown={shown} change={change} />
        </div>
      )}
      <ViewFigure shown={shown} />
    </div>
  );
}
