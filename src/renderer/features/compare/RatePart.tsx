import { useMemo } from "react";
import type { SeriesWindow } from "#shared/bridge/methods/series.ts";
import { ratesOf } from "../../ask/questions.ts";
import { shownOf, useAskHere } from "../../ask/useAsk.ts";
import classes from "./compare.module.css";
import { Figures } from "./FigureCard.tsx";
import { drawLines, type Lines, readingsOf } from "./figures/lines.ts";
import type { Picture } from "./figures/picture.ts";
import { windowTable } from "./save.ts";
import { PartFrame, LabelledAmount, PLOT_COLUMNS, type PartProps, REST_MS } from "./PartFrame.tsx";
import { CHOICES, type ComparedStations, selectionOf } from "./useCompared.ts";
import { signed } from "./format.ts";
import { fieldsOf } from "../../ui/fieldsOf.ts";

/** The rate of change of water vapour. */
export function RatePart({ compared, choices }: PartProps) {
  const { windowMinutes } = choices;
  const selection = selectionOf(compared, choices, "pwv");
  const answer = useAskHere(
    ratesOf,
    { ...selection, windowMinutes, columns: PLOT_COLUMNS },
    { keepFor: [selection.stationIds], delayMs: REST_MS },
  );
  const result = shownOf(answer);
  const pictures = useMemo(
    () => (result ? [pictureOf(result, compared, windowMinutes)] : []),
    [result, compared, windowMinutes],
  );
  const sheet = {
    name: "compare-pwv-rate",
    title: `Rate of precipitable water vapour, window ${windowMinutes} min`,
    range: compared.range,
    stations: compared.stations,
    pictures,
    tables: result ? [windowTable({ id: "rate", label: "Rates as drawn" }, result, "pwv", "mm_per_h")] : [],
  };
  return (
    <>
      <div className={classes["bar"]}>
        <LabelledAmount
          label="Window, min"
          min={10}
          max={1_440}
          {...fieldsOf(choices, CHOICES.change)("windowMinutes")}
        />
        <span className="text-quiet">Centred on each value; a slope needs values over at least half of it.</span>
      </div>
      <PartFrame
        answer={answer}
        counted={(result ?? []).map((w) => ({ stationId: w.stationId, n: w.kind === "rows" ? w.timesMs.length : 1 }))}
        sheet={sheet}
        note=""
      >
        <Figures sheet={sheet} />
      </PartFrame>
    </>
  );
}

function pictureOf(windows: readonly SeriesWindow[], compared: ComparedStations, windowMinutes: number): Picture {
  const lines: Lines = {
    windows,
    variable: "pwv",
    stations: compared.stations,
    range: compared.range,
    label: "PWV rate, mm/h",
    stepSeconds: new Map(windows.map(({ stationId }) => [stationId, compared.stepSecondsOf("pwv", stationId)])),
    meanSeconds: new Map(windows.map(({ stationId }) => [stationId, compared.mode.intervalSeconds ?? 0])),
    empty: "No window contains enough values. Choose a longer one",
  };
  return {
    id: "rate",
    title: "Rate of PWV",
    note: `mm/h: slope of a straight line through the values within ${windowMinutes / 2} min on both sides`,
    summary: `Lines over time of ${windows.length} stations`,
    draw: drawLines(lines),
    readings: readingsOf(lines, { unit: "mm/h", write: signed }),
  };
}
