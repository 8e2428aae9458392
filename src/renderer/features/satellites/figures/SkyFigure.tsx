import type { AnimationSource } from "../../../plot/figure/animation.ts";
import { useCallback, useMemo, useState } from "react";
import { HOUR_MS, type UtcMs } from "#shared/time/utc.ts";
import { bandName, CHOICES, fileNameOf, type Shown, shownWords } from "../choices.ts";
import { skyCsv } from "./csv.ts";
import { createSky, entryNear, skyDisc, type SkyScene } from "../draw/sky.ts";
import { type Draw, drawingFigure, Figure } from "./Figure.tsx";
import type { PointedAt } from "../../../ui/drag.ts";
import { PlaceKeys } from "./PlaceKeys.tsx";
import { shownMoment, useMoment } from "../data/moment.ts";
import { MemoSelect } from "../controls/memo.ts";
import classes from "../satellites.module.css";
import { entriesAt, epochAt, prnAt, type Sky, trackEnds } from "../data/sky.ts";
import { entryWords, momentWords, READING } from "../labels.ts";
import { copyText } from "../../../stores/copyText.ts";
import { many } from "../../../ui/text.ts";
import { fieldsOf } from "../../../ui/fieldsOf.ts";

const WINDOWS = [
  { value: 0, label: "No tracks" },
  { value: 0.5, label: "Tracks of 30 min" },
  { value: 1, label: "Tracks of 1 h" },
  { value: 2, label: "Tracks of 2 h" },
  { value: 6, label: "Tracks of 6 h" },
  { value: 12, label: "Tracks of 12 h" },
  { value: 24, label: "Tracks of 24 h" },
] as const;

/** The satellites at the moment, with their tracks. */
export function SkyFigure({ shown }: { readonly shown: Shown }) {
  const { sky, filter, band, range, choices } = shown;
  const [point, setPoint] = useState<PointedAt | null>(null);
  /** Identifier of the highlighted satellite. */
  const [highlightedPrn, highlight] = useState<string | null>(null);
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
  const highlighted = highlightedPrn === null ? -1 : sky.prns.indexOf(highlightedPrn);
  const drawSky = useMemo(() => createSky(scene), [scene]);
  const draw = useCallback(
    (...[width, height, theme]: Parameters<Draw>) =>
      drawSky({ width, height }, theme, { momentMs: momentNow(), highlighted }),
    [drawSky, momentNow, highlighted],
  );
  const entryUnder = (at: PointedAt): number => entryNear(scene, momentNow(), skyDisc(at), at);
  return (
    <Figure
      title="Sky plot"
      subtitle={() => shownWords(shown, momentWords(momentNow()))}
      fileName={fileNameOf("sky", shown)}
      draw={draw}
      still={() => skyAt({ scene, highlighted }, momentNow())}
      csv={() => skyCsv(sky, filter, epochAt(sky, momentNow()))}
      controls={<MemoSelect label="Tracks" choices={WINDOWS} {...fieldsOf(choices, CHOICES.change)("trackHours")} />}
      readout={
        <SkyReadout shown={shown} entryUnder={() => (point ? entryUnder(point) : -1)} highlighted={highlightedPrn} />
      }
      className={classes["sky"]}
      animation={(aspect) => animationOf(shown, aspect, { scene, highlighted })}
      menu={() => {
        const ends = trackEnds(sky, filter, momentNow(), scene.windowMs);
        const entry = currentEntry(sky, ends, point ? entryUnder(point) : -1, highlightedPrn);
        return entry < 0 ? [] : menuOf(sky, entry, { momentMs: momentNow(), highlightedPrn, highlight });
      }}
      label="Satellites over the station by azimuth and elevation; values are listed under Values"
      drawn={sky.timesMs.length > 0 ? "1" : undefined}
      subscribe={useMoment.subscribe}
      onPoint={setPoint}
      onPress={(pressed) => {
        const entry = entryUnder(pressed);
        highlight(entry < 0 ? null : prnAt(sky, entry));
      }}
    >
      <SatelliteKeys shown={shown} highlighted={highlightedPrn} onHighlight={highlight} />
    </Figure>
  );
}

interface Drawn {
  readonly scene: SkyScene;
  /** Index of the highlighted satellite; -1: none. */
  readonly highlighted: number;
}

function skyAt({ scene, highlighted }: Drawn, momentMs: UtcMs): Draw {
  const drawSky = createSky(scene);
  return (width, height, theme) => drawSky({ width, height }, theme, { momentMs, highlighted });
}

/** The sky plot at each moment of the range. */
function animationOf(shown: Shown, aspect: number, { scene, highlighted }: Drawn): AnimationSource {
  const { sky, range } = shown;
  const fileName = fileNameOf("sky", shown);
  return {
    fileName,
    firstMs: sky.timesMs[0] ?? range.startMs,
    lastMs: sky.timesMs.at(-1) ?? range.startMs,
    stepMs: sky.stepMs,
    async *figures(momentsMs: readonly UtcMs[]) {
      // Keeps the tracks from frame to frame.
      const drawSky = createSky(scene);
      for (const momentMs of momentsMs)
        yield drawingFigure({
          title: "Sky plot",
          subtitle: shownWords(shown, momentWords(momentMs)),
          fileName,
          aspect,
          draw: (width, height, theme) => drawSky({ width, height }, theme, { momentMs, highlighted }),
        });
    },
  };
}

interface MenuState {
  readonly momentMs: UtcMs;
  readonly highlightedPrn: string | null;
  readonly highlight: (prn: string | null) => void;
}

function menuOf(sky: Sky, entry: number, { momentMs, highlightedPrn, highlight }: MenuState) {
  const prn = prnAt(sky, entry);
  const words = `${momentWords(momentMs)}: ${entryWords(sky, entry, momentMs)}`;
  return [
    {
      id: "highlight",
      label: prn === highlightedPrn ? "Remove highlight" : `Highlight ${prn}`,
      onAction: () => highlight(prn === highlightedPrn ? null : prn),
    },
    {
      id: "copy",
      label: `Copy the values of ${prn}`,
      onAction: () => copyText(words, "The values were copied."),
    },
  ];
}

interface SkyReadoutProps {
  readonly shown: Shown;
  /** The entry under the cursor; -1: none. */
  readonly entryUnder: () => number;
  readonly highlighted: string | null;
}

/** The satellite under the cursor, else the highlighted one, else the number of satellites. */
function SkyReadout({ shown, entryUnder, highlighted }: SkyReadoutProps) {
  const { sky, filter } = shown;
  const { momentMs, ends } = useTrackEnds(shown);
  if (sky.timesMs.length === 0) return READING;
  const entry = currentEntry(sky, ends, entryUnder(), highlighted);
  if (entry >= 0) return entryWords(sky, entry, momentMs);
  const epoch = epochAt(sky, momentMs);
  if (epoch < 0) return "No observation at this moment.";
  const inView = entriesAt(sky, filter, epoch);
  const withoutPosition = inView.filter((i) => Number.isNaN(sky.x[i] ?? Number.NaN)).length;
  const parts = [
    ...(highlighted === null ? [] : [`${highlighted} is not in view`]),
    withoutPosition === 0
      ? many(inView.length, "satellite")
      : `${many(inView.length, "satellite")}, ${withoutPosition} of them without elevation or azimuth: listed under Values`,
  ];
  return parts.join(" · ");
}

/** Returns the entry under the cursor, else that of the highlighted satellite; -1: none. */
function currentEntry(sky: Sky, ends: readonly number[], under: number, highlighted: string | null): number {
  return under >= 0 ? under : (ends.find((entry) => prnAt(sky, entry) === highlighted) ?? -1);
}

interface SatelliteKeysProps {
  readonly shown: Shown;
  /** Identifier of the highlighted satellite. */
  readonly highlighted: string | null;
  readonly onHighlight: (prn: string | null) => void;
}

/** Steps through the satellites and the ends of tracks by identifier. */
function SatelliteKeys({ shown, highlighted, onHighlight }: SatelliteKeysProps) {
  const { sky } = shown;
  const { momentMs, ends } = useTrackEnds(shown);
  const satellites = ends
    .map((entry) => ({ entry, prn: prnAt(sky, entry) }))
    .toSorted((a, b) => (a.prn < b.prn ? -1 : 1));
  return (
    <PlaceKeys
      label="Satellites of the sky plot"
      count={satellites.length}
      place={satellites.findIndex(({ prn }) => prn === highlighted)}
      textOf={(place) => entryWords(sky, satellites[place]?.entry ?? -1, momentMs)}
      onChange={(place) => onHighlight(satellites[place]?.prn ?? null)}
    />
  );
}

/** Returns the moment, and the entries that a track ends with or that are in view. */
function useTrackEnds({ sky, filter, range, choices }: Shown) {
  const momentMs = useMoment((s) => shownMoment(s.momentMs, sky, range));
  return { momentMs, ends: trackEnds(sky, filter, momentMs, choices.trackHours * HOUR_MS) };
}
