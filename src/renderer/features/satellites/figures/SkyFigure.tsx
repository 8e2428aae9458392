import { useCallback, useMemo, useState } from "react";
import { HOUR_MS, type UtcMs } from "#shared/time/utc.ts";
import type { ChoicesHandle } from "../choices.ts";
import { skyCsv } from "./csv.ts";
import { createSkyPainter } from "../draw/sky.ts";
import { discIn, entryNear, type SkyScene } from "../draw/skyScene.ts";
import { drawingFigure, Figure } from "./Figure.tsx";
import { FigureCanvas, type FigurePoint, type Paint } from "./FigureCanvas.tsx";
import { shownMoment, useMoment, useEpoch } from "../data/moment.ts";
import { QuietSelect } from "../controls/quiet.ts";
import { SatelliteKeys } from "./SatelliteKeys.tsx";
import classes from "../satellites.module.css";
import { bandName, fileNameOf, type Shown, shownWords } from "../shown.ts";
import { epochAt, entriesAt } from "../data/sky.ts";
import { momentWords, entryWords, READING } from "../words.ts";
import { copyText } from "../../../stores/copyText.ts";
import { many } from "../../../ui/text.ts";

const WINDOWS = [
  { value: "0", label: "No tracks" },
  { value: "0.5", label: "Tracks of 30 min" },
  { value: "1", label: "Tracks of 1 h" },
  { value: "2", label: "Tracks of 2 h" },
  { value: "6", label: "Tracks of 6 h" },
  { value: "12", label: "Tracks of 12 h" },
  { value: "24", label: "Tracks of 24 h" },
] as const;
type TrackHours = (typeof WINDOWS)[number]["value"];

function followMoment(redraw: () => void): () => void {
  return useMoment.subscribe(redraw);
}

/** Where the satellites stand at the moment, and where they came from. */
export function SkyFigure({ shown, change }: { readonly shown: Shown; readonly change: ChoicesHandle["change"] }) {
  const { sky, filter, band, range, choices } = shown;
  const [painter] = useState(createSkyPainter);
  const [point, setPoint] = useState<FigurePoint | null>(null);
  /** Identifier of the satellite that stands out. */
  const [chosen, choose] = useState<string | null>(null);
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
  const reachBack = useCallback((hours: TrackHours) => change({ trackHours: Number(hours) }), [change]);
  const satellite = chosen === null ? -1 : sky.prns.indexOf(chosen);
  const paint = useMemo(
    (): Paint => (ctx, width, height, theme) =>
      painter.paint(ctx, width, height, theme, scene, { momentMs: momentNow(), chosen: satellite }),
    [painter, scene, momentNow, satellite],
  );
  const entryUnder = ({ x, y, width, height }: FigurePoint): number =>
    entryNear(scene, epochAt(sky, momentNow()), discIn(width, height), x, y);
  return (
    <Figure
      title="Sky plot"
      subtitle={() => shownWords(shown, momentWords(momentNow()))}
      fileName={fileNameOf("sky", shown)}
      paint={paint}
      csv={() => skyCsv(sky, filter, epochAt(sky, momentNow()))}
      controls={
        <QuietSelect
          label="Tracks"
          choices={WINDOWS}
          value={String(choices.trackHours) as TrackHours}
          onChange={reachBack}
        />
      }
      readout={<SkyReadout shown={shown} entryUnder={() => (point ? entryUnder(point) : -1)} chosen={chosen} />}
      className={classes["sky"]}
      animation={(aspect) => ({
        fileName: fileNameOf("sky", shown),
        firstMs: sky.timesMs[0] ?? range.startMs,
        lastMs: sky.timesMs.at(-1) ?? range.startMs,
        stepMs: sky.stepMs,
        async *figures(momentsMs: readonly UtcMs[]) {
          // Of its own: tracks are drawn on from the moment before.
          const own = createSkyPainter();
          for (const momentMs of momentsMs)
            yield drawingFigure({
              title: "Sky plot",
              subtitle: shownWords(shown, momentWords(momentMs)),
              fileName: fileNameOf("sky", shown),
              aspect,
              paint: (ctx, width, height, theme) =>
                own.paint(ctx, width, height, theme, scene, { momentMs, chosen: satellite }),
            });
        },
      })}
      menu={() => {
        const seen = entriesAt(sky, filter, epochAt(sky, momentNow()));
        const under = point ? entryUnder(point) : -1;
        const entry = under >= 0 ? under : (seen.find((i) => sky.prns[sky.prn[i]!] === chosen) ?? -1);
        if (entry < 0) return [];
        const prn = sky.prns[sky.prn[entry]!]!;
        const words = `${momentWords(momentNow())}: ${entryWords(sky, entry)}`;
        return [
          {
            id: "stand-out",
            label: prn === chosen ? `Show ${prn} like the others` : `Let ${prn} stand out`,
            onAction: () => choose(prn === chosen ? null : prn),
          },
          {
            id: "copy",
            label: `Copy the values of ${prn}`,
            onAction: () => copyText(words, "The values are copied."),
          },
        ];
      }}
    >
      <FigureCanvas
        label="Satellites over the station by azimuth and elevation; values are listed under Values"
        paint={paint}
        drawn={sky.timesMs.length > 0 ? "1" : undefined}
        follow={followMoment}
        onPoint={setPoint}
        onPress={(pressed) => {
          const entry = entryUnder(pressed);
          choose(entry < 0 ? null : sky.prns[sky.prn[entry]!]!);
        }}
      >
        <SatelliteKeys shown={shown} chosen={chosen} onChoose={choose} />
      </FigureCanvas>
    </Figure>
  );
}

interface SkyReadoutProps {
  readonly shown: Shown;
  /** The entry under the cursor; -1: none. */
  readonly entryUnder: () => number;
  readonly chosen: string | null;
}

/** The satellite under the cursor, else the chosen one, else how many there are. */
function SkyReadout({ shown, entryUnder, chosen }: SkyReadoutProps) {
  const { sky, filter } = shown;
  const epoch = useEpoch(shown);
  if (sky.timesMs.length === 0) return READING;
  if (epoch < 0) return "No observation at this moment.";
  const seen = entriesAt(sky, filter, epoch);
  const under = entryUnder();
  const entry = under >= 0 ? under : (seen.find((i) => sky.prns[sky.prn[i]!] === chosen) ?? -1);
  if (entry >= 0) return entryWords(sky, entry);
  const placeless = seen.filter((i) => Number.isNaN(sky.x[i]!)).length;
  const parts = [
    ...(chosen === null ? [] : [`${chosen} is not in view`]),
    placeless === 0
      ? many(seen.length, "satellite")
      : `${many(seen.length, "satellite")}, ${placeless} of them without elevation or azimuth: listed under Values`,
  ];
  return parts.join(" · ");
}
