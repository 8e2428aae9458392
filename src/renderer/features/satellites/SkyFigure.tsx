import { useCallback, useMemo, useState } from "react";
import { many } from "../../ui/text.ts";
import { skyCsv } from "./csv.ts";
import { createSkyPainter, discIn, entryNear, type SkyScene } from "./draw/sky.ts";
import { Figure } from "./Figure.tsx";
import { FigureCanvas, type FigurePoint, type Paint } from "./FigureCanvas.tsx";
import { shownMoment, useMoment } from "./moment.ts";
import { Select } from "../../ui/choices.tsx";
import { HOUR_MS } from "#shared/time/utc.ts";
import { entriesAt, epochAt } from "./sky.ts";
import classes from "./satellites.module.css";
import { bandName, fileNameOf, type Shown, shownWords } from "./shown.ts";
import { entryWords, momentWords } from "./words.ts";
import type { ChoicesHandle } from "./choices.ts";

const WINDOWS = [
  { value: "0", label: "No tracks" },
  { value: "0.5", label: "Tracks of 30 min" },
  { value: "1", label: "Tracks of 1 h" },
  { value: "2", label: "Tracks of 2 h" },
  { value: "6", label: "Tracks of 6 h" },
  { value: "12", label: "Tracks of 12 h" },
  { value: "24", label: "Tracks of 24 h" },
] as const;

function followMoment(redraw: () => void): () => void {
  return useMoment.subscribe(redraw);
}

/** Where the satellites stand at the moment, and where they came from. */
export function SkyFigure({ shown, change }: { readonly shown: Shown; readonly change: ChoicesHandle["change"] }) {
  const { sky, filter, band, range, choices } = shown;
  const [point, setPoint] = useState<FigurePoint | null>(null);
  const scene = useMemo(
    (): SkyScene => ({
      sky,
      filter,
      band,
      scaleTitle: `C/N0, band ${bandName({ sky, band })}`,
      windowMs: choices.trackHours * HOUR_MS,
    }),
    [sky, filter, band, choices.trackHours],
  );
  const momentNow = useCallback(() => shownMoment(useMoment.getState().momentMs, sky, range), [sky, range]);
  const paint = useMemo((): Paint => {
    const painter = createSkyPainter();
    return (ctx, width, height, theme) => painter.paint(ctx, width, height, theme, scene, momentNow());
  }, [scene, momentNow]);
  return (
    <Figure
      title="Sky plot"
      subtitle={() => shownWords(shown, momentWords(momentNow()))}
      fileName={fileNameOf("sky", shown)}
      paint={paint}
      csv={() => skyCsv(sky, filter, epochAt(sky, momentNow()))}
      controls={
        <Select
          label="Tracks"
          choices={WINDOWS}
          value={String(choices.trackHours) as (typeof WINDOWS)[number]["value"]}
          onChange={(hours) => change({ trackHours: Number(hours) })}
        />
      }
      readout={<SkyReadout scene={scene} momentNow={momentNow} point={point} />}
      className={classes["sky"]}
    >
      <FigureCanvas
        label="Satellites over the station by azimuth and elevation; their values stand under Values"
        paint={paint}
        drawn="1"
        follow={followMoment}
        onPoint={setPoint}
      />
    </Figure>
  );
}

/** The satellite under the cursor, else how many there are. */
function SkyReadout({ scene, momentNow, point }: SkyReadoutProps) {
  useMoment((s) => s.momentMs);
  const { sky, filter } = scene;
  const epoch = epochAt(sky, momentNow());
  if (epoch < 0) return "No observation at this moment.";
  const entry = point ? entryNear(scene, epoch, discIn(point.width, point.height), point.x, point.y) : -1;
  if (entry >= 0) return entryWords(sky, entry);
  const seen = entriesAt(sky, filter, epoch);
  const placeless = seen.filter((i) => Number.isNaN(sky.x[i]!)).length;
  return placeless === 0
    ? many(seen.length, "satellite")
    : `${many(seen.length, "satellite")}, ${placeless} of them without elevation or azimuth: listed under Values`;
}

interface SkyReadoutProps {
  readonly scene: SkyScene;
  readonly momentNow: () => number;
  readonly point: FigurePoint | null;
}
