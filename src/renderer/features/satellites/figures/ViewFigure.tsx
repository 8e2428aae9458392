import { useCallback, useMemo, useState } from "react";
import { duration, utc } from "../../../ui/text.ts";
import { constellationAt } from "../constellations.ts";
import { inViewCsv } from "./csv.ts";
import { drawInView, viewFrame } from "../draw/inView.ts";
import { Figure } from "./Figure.tsx";
import { FigureCanvas, type FigurePoint, type Paint } from "./FigureCanvas.tsx";
import { KINDS, viewColumns, countInView } from "../data/inView.ts";
import { snapToStep, useMoment } from "../data/moment.ts";
import { MomentLine, PlayControls, TimeSlider } from "../controls/PlayControls.tsx";
import classes from "../satellites.module.css";
import { epochAt, type Sky } from "../data/sky.ts";
import { rangeText } from "../../range/words.ts";
import { fileNameOf, type Shown, shownWords } from "../choices.ts";
import { useSlicedWork } from "../data/slices.ts";

interface Counted {
  readonly sky: Sky;
  readonly counts: Uint16Array;
}

/** Satellites in view over the range; a press on it, or the slider below, sets the moment of the sky plot. */
export function ViewFigure({ shown }: { readonly shown: Shown }) {
  const { sky, filter, range } = shown;
  const [hoverMs, setHoverMs] = useState<number | null>(null);
  const counted = useSlicedWork<Counted>(
    useCallback(
      function* () {
        return { sky, counts: yield* countInView(sky, filter) };
      },
      [sky, filter],
    ),
  );
  const paint = useMemo((): Paint => {
    if (!counted) return () => {};
    let kept: ReturnType<typeof viewColumns> | null = null;
    return (ctx, width, height, theme) => {
      const columns = Math.max(1, Math.round(viewFrame(width, height).width * devicePixelRatio));
      if (kept?.epochs.length !== columns) kept = viewColumns(counted.sky, counted.counts, range, columns);
      drawInView(ctx, width, height, theme, { columns: kept, range });
    };
  }, [counted, range]);
  return (
    <Figure
      title="Satellites in view"
      subtitle={() => shownWords(shown, rangeText(range))}
      fileName={fileNameOf("in-view", shown)}
      paint={paint}
      csv={() => (counted ? inViewCsv(counted.sky, counted.counts) : "")}
      controls={
        <>
          <PlayControls sky={sky} range={range} />
          <span className={classes["viewReadout"]}>
            {counted && hoverMs !== null ? hoverWords(counted, hoverMs) : `Epochs every ${duration(sky.stepMs / 1000)}`}
          </span>
        </>
      }
      className={classes["inView"]}
    >
      <FigureCanvas
        label="Number of satellites in view over time, by constellation"
        paint={paint}
        onPoint={(point) => setHoverMs(point ? momentUnder(point, shown) : null)}
        onPress={(point) => {
          const momentMs = momentUnder(point, shown);
          if (momentMs !== null) useMoment.setState({ momentMs: snapToStep(momentMs, sky, range) });
        }}
      >
        <MomentLine sky={sky} range={range} />
      </FigureCanvas>
      <TimeSlider sky={sky} range={range} />
    </Figure>
  );
}

function momentUnder({ x, width, height }: FigurePoint, { range }: Shown): number | null {
  const frame = viewFrame(width, height);
  const share = (x - frame.left) / frame.width;
  return share >= 0 && share <= 1 ? range.startMs + share * (range.endMs - range.startMs) : null;
}

function hoverWords({ sky, counts }: Counted, momentMs: number): string {
  const epoch = epochAt(sky, momentMs);
  if (epoch < 0) return `${utc(momentMs)} UTC · no observation`;
  let total = 0;
  const parts: string[] = [];
  for (let kind = 0; kind < KINDS; kind++) {
    const inView = counts[epoch * KINDS + kind] ?? 0;
    total += inView;
    if (inView > 0) parts.push(`${constellationAt(kind).name} ${inView}`);
  }
  return `${utc(sky.timesMs[epoch] ?? momentMs)} UTC · ${total} in view${parts.length > 0 ? `: ${parts.join(", ")}` : ""}`;
}
