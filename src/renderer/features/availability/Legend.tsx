import type { GapCause } from "#shared/series/gap.ts";
import type { SeriesAvailability } from "#shared/bridge/methods/availability.ts";
import { useMemo } from "react";
import { GAP_MARKS } from "../../plot/gapMarks.ts";
import { HatchSwatch } from "../../ui/HatchSwatch.tsx";
import classes from "./availability.module.css";
import { type Level, LEVELS, lookOf } from "./looks.ts";

/** What colours and hatches mean: every step of completeness, and the causes in sight. */
export function Legend({ found }: { readonly found: SeriesAvailability }) {
  const { causes, hasNotFinal } = useMemo(() => causesIn(found), [found]);
  return (
    <ul aria-label="Legend" className={classes["legend"]}>
      <li className={classes["quiet"]}>Complete</li>
      {LEVELS.map((level) => (
        <li key={level.word}>
          <LevelSwatch level={level} />
          {level.word}
        </li>
      ))}
      {GAP_MARKS.filter((mark) => causes.has(mark.cause)).map((mark) => (
        <li key={mark.cause} title={mark.meaning}>
          <HatchSwatch mark={mark} />
          {mark.word}
        </li>
      ))}
      {hasNotFinal ? (
        <li title="Data may still arrive or change">
          <span aria-hidden className={classes["open"]} />
          may still change
        </li>
      ) : null}
    </ul>
  );
}

function LevelSwatch({ level }: { readonly level: Level }) {
  return (
    <svg aria-hidden width="20" height="12">
      <rect width="20" height="12" fill={`var(${level.colour})`} fillOpacity={level.strength} />
    </svg>
  );
}

function causesIn(found: SeriesAvailability): {
  readonly causes: ReadonlySet<GapCause>;
  readonly hasNotFinal: boolean;
} {
  const causes = new Set<GapCause>();
  for (let station = 0; station < found.stations.length; station++) {
    for (let bin = 0; bin < found.bins; bin++) {
      const look = lookOf(found, station, bin);
      if (typeof look.fill === "string") causes.add(look.fill);
      if (look.askedShare < 1) causes.add(look.rest);
    }
  }
  return { causes, hasNotFinal: found.notFinal.some((n) => n > 0) };
}
