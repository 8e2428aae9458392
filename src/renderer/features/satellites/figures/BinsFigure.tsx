import { useCallback, useMemo, useState } from "react";
import { count, many } from "../../../ui/text.ts";
import { type Choices, type ChoicesHandle, fileNameOf, type Shown, shownWords } from "../choices.ts";
import { binsCsv } from "./csv.ts";
import { binsFrame, drawBins } from "../draw/bins.ts";
import { BIN_DEG, BINS, type ElevationBins, elevationBins } from "../data/elevationBins.ts";
import { Figure } from "./Figure.tsx";
import { FigureCanvas, type FigurePoint, type Paint } from "./FigureCanvas.tsx";
import { MemoSegments } from "../controls/memo.ts";
import { rangeText } from "../../range/words.ts";
import { useSlicedWork } from "../data/slices.ts";
import { dbHz, READING } from "../words.ts";

const GROUPINGS = [
  { value: "constellation", label: "By constellation" },
  { value: "band", label: "By band" },
] as const;
const NONE: ElevationBins = { groups: [], outside: 0 };

/** C/N0 against elevation, as a check of the antenna and its surroundings. */
export function BinsFigure({ shown, change }: { readonly shown: Shown; readonly change: ChoicesHandle["change"] }) {
  const { sky, filter, band, choices } = shown;
  const [bin, setBin] = useState(-1);
  const setGrouping = useCallback((by: Choices["by"]) => change({ by }), [change]);
  const { by } = choices;
  const bins = useSlicedWork(useCallback(() => elevationBins(sky, filter, by, band), [sky, filter, by, band])) ?? NONE;
  const paint = useMemo((): Paint => (ctx, width, height, theme) => drawBins(ctx, width, height, theme, bins), [bins]);
  return (
    <Figure
      title="C/N0 against elevation"
      subtitle={() => `${shownWords(shown, rangeText(shown.range))} · median and quartiles in ${BIN_DEG}° bins`}
      fileName={fileNameOf("cn0-elevation", shown)}
      paint={paint}
      csv={() => binsCsv(bins)}
      controls={<MemoSegments label="Groups" choices={GROUPINGS} value={choices.by} onChange={setGrouping} />}
      readout={sky.timesMs.length === 0 ? READING : bin < 0 ? summaryWords(bins) : binWords(bins, bin)}
    >
      <FigureCanvas
        label="Median and quartiles of C/N0 in bins of 5° of elevation"
        paint={paint}
        onPoint={(point) => setBin(point ? binUnder(point) : -1)}
      />
    </Figure>
  );
}

function binUnder({ x, width, height }: FigurePoint): number {
  const frame = binsFrame(width, height);
  const bin = Math.floor(((x - frame.left) / frame.width) * BINS);
  return bin >= 0 && bin < BINS ? bin : -1;
}

function summaryWords({ groups, outside }: ElevationBins): string {
  const total = groups.reduce((sum, g) => g.n.reduce((a, b) => a + b, sum), 0);
  const excluded = outside > 0 ? `; ${count(outside)} without an elevation above the horizon are excluded` : "";
  return `Median and quartiles of ${many(total, "value")}${excluded}`;
}

function binWords({ groups }: ElevationBins, bin: number): string {
  const parts = groups.flatMap(({ name, constellation, n, lower, median, upper }) => {
    const [total = 0, low = 0, middle = 0, high = 0] = [n[bin], lower[bin], median[bin], upper[bin]];
    if (total === 0) return [];
    const title = constellation === null ? `band ${name}` : name;
    return [`${title} ${dbHz(middle)} (${low.toFixed(1)}–${high.toFixed(1)}), n ${count(total)}`];
  });
  return `${bin * BIN_DEG}–${(bin + 1) * BIN_DEG}° · ${parts.length > 0 ? parts.join(" · ") : "no values"}`;
}
