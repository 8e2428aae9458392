import { Check } from "lucide-react";
import { memo, type ReactNode } from "react";
import type { StationCoverage } from "#shared/bridge/methods/catalogue.ts";
import { seriesLook } from "#shared/plot/theme.ts";
import type { CatalogueStation } from "#shared/service/catalogue.ts";
import type { TimeRange } from "#shared/time/range.ts";
import type { Column, ColumnContext } from "./columns.ts";
import { CoverageStrip } from "./CoverageStrip.tsx";
import classes from "./catalogue.module.css";

/** A sample of the line of a selected station. */
export function Swatch({ slot }: { readonly slot: number }) {
  const { colour, dash } = seriesLook(slot);
  return (
    <svg viewBox="0 0 14 4" aria-hidden className={classes["swatch"]}>
      <line x1="0" y1="2" x2="14" y2="2" stroke={colour} strokeWidth="3" strokeDasharray={dash.join(" ")} />
    </svg>
  );
}

interface StationRowProps {
  readonly id: string;
  readonly index: number;
  readonly topPx: number;
  readonly station: CatalogueStation;
  readonly columns: readonly Column[];
  readonly context: ColumnContext;
  readonly range: TimeRange;
  readonly strip: StationCoverage | undefined;
  /** Index of the station's colour in the palette; undefined if it is not selected. */
  readonly slot: number | undefined;
  readonly isFocused: boolean;
}

/** A row of the list. The grid handles its events, by `data-id` and `data-tick`. */
export const StationRow = memo(function StationRow(props: StationRowProps) {
  const { id, index, topPx, station, columns, context, range, strip, slot, isFocused } = props;
  const cell = (column: Column): ReactNode => {
    if (column.id === "cached") return <CoverageStrip range={range} coverage={strip} />;
    return column.text(station, context) ?? <span className={classes["absent"]}>—</span>;
  };
  return (
    <div
      id={id}
      role="row"
      // The header is row 1.
      aria-rowindex={index + 2}
      aria-selected={slot !== undefined}
      data-id={station.id}
      data-focused={isFocused || undefined}
      className={classes["row"]}
      style={{ top: topPx }}
    >
      <span role="gridcell" data-tick className={classes["tickCell"]}>
        <span className={classes["tick"]}>
          <Check aria-hidden />
        </span>
      </span>
      {columns.map((column) => (
        <span
          key={column.id}
          role="gridcell"
          title={
            column.id === "cached"
              ? undefined
              : (column.hint?.(station, context) ?? column.text(station, context) ?? undefined)
          }
          className={`${classes["cell"]} ${column.isNumber ? classes["number"] : ""}`}
        >
          {column.id === "name" && slot !== undefined ? <Swatch slot={slot} /> : null}
          {column.id === "name" ? <span className={classes["name"]}>{cell(column)}</span> : cell(column)}
        </span>
      ))}
    </div>
  );
});
