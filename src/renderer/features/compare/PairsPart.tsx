import { useMemo } from "react";
import type { PairFigures } from "#shared/bridge/methods/compare.ts";
import { variableInfo } from "#shared/service/variables.ts";
import { bridge } from "../../bridge/index.ts";
import { count } from "../../ui/text.ts";
import { useSeriesQuery } from "../series/useSeriesQuery.ts";
import { type Choices, referenceOf, selectionOf } from "./useCompared.ts";
import { PartFrame, PLOT_COLUMNS, type PartProps, REST_MS } from "./PartFrame.tsx";
import { Figures } from "./FigureCard.tsx";
import { PairTable } from "./PairTable.tsx";
import { pairPictures, pairTables } from "./pairSheet.ts";
import { joinText, marksText, sumOfMarks } from "./format.ts";

/** All pairs as a table, the differences from the reference station, and one pair as a scatter plot. */
export function PairsPart({ connectionId, compared, choices, onChange }: PartProps) {
  const { variable, joining } = choices;
  const referenceId = referenceOf(compared, choices);
  const selection = selectionOf(connectionId, compared, choices, variable);
  const answer = useSeriesQuery({
    input: { ...selection, variable, joining, referenceId, columns: PLOT_COLUMNS },
    load: bridge.compare.pairs,
    retainFor: [connectionId, variable, selection.stationIds, referenceId],
    delayMs: REST_MS,
  });
  const shown = chosenPair(answer.value?.pairs ?? [], choices.pair);
  const scatter = useSeriesQuery({
    input: shown
      ? { ...selection, stationIds: [shown.aId, shown.bId], aId: shown.aId, bId: shown.bId, variable, joining }
      : null,
    load: bridge.compare.scatter,
    retainFor: [connectionId, variable, shown?.aId, shown?.bId],
    delayMs: 0,
  });
  const result = answer.value;
  const points = scatter.value;
  const view = useMemo(
    () => (result ? { answer: result, scatter: points, shown, referenceId, variable, compared } : null),
    [result, points, shown, referenceId, variable, compared],
  );
  const pictures = useMemo(() => (view ? pairPictures(view) : []), [view]);
  const sheet = {
    name: `compare-pairs-${variable.replace("_", "-")}`,
    title: `${variableInfo(variable).label}: stations in pairs`,
    range: compared.range,
    stations: compared.stations,
    pictures,
    tables: view ? pairTables(view) : [],
  };
  const counted = result?.stations ?? [];
  return (
    <PartFrame
      answer={answer}
      otherFault={scatter.fault}
      counted={counted}
      sheet={sheet}
      note={result ? noteOf(result.pairs, counted, variable, result.lagHours) : ""}
    >
      {result && result.pairs.every((pair) => pair.n === 0) ? (
        <p className="quiet">
          These stations have no common epochs in this range. Choose a longer range or interval means, or fetch the
          missing data.
        </p>
      ) : null}
      <PairTable
        pairs={result?.pairs ?? []}
        shown={shown}
        lagHours={result?.lagHours ?? 0}
        nameOf={compared.nameOf}
        onShow={(pair) => onChange({ pair: [pair.aId, pair.bId] })}
      />
      <Figures sheet={sheet} />
    </PartFrame>
  );
}

function chosenPair(pairs: readonly PairFigures[], chosen: Choices["pair"]): PairFigures | null {
  const isChosen = (p: PairFigures): boolean => chosen !== null && chosen.includes(p.aId) && chosen.includes(p.bId);
  return pairs.find(isChosen) ?? pairs[0] ?? null;
}

function noteOf(
  pairs: readonly PairFigures[],
  stations: readonly {
    readonly n: number;
    readonly marked: number;
    readonly counts: Parameters<typeof marksText>[0];
  }[],
  variable: string,
  lagHours: number,
): string {
  const marked = stations.reduce((sum, s) => sum + s.marked, 0);
  const n = stations.reduce((sum, s) => sum + s.n, 0);
  const kinds = marksText(sumOfMarks(stations.map((s) => s.counts)));
  const ways = [...new Set(pairs.map(joinText))].join("; ");
  const grids = [...new Set(pairs.flatMap((p) => (p.lag ? [p.lag.gridSeconds / 60] : [])))].join(" or ");
  return [
    `Joined: ${ways}.`,
    grids === "" ? "" : `Lag: largest correlation within ±${lagHours} h on a grid of ${grids} min.`,
    variable === "ztd" ? "A ZTD bias includes the effect of the height difference." : "",
    marked === 0
      ? `None of ${count(n)} values is flagged.`
      : `${count(marked)} of ${count(n)} values are flagged: ${kinds}.`,
  ]
    .filter((sentence) => sentence !== "")
    .join(" ");
}
