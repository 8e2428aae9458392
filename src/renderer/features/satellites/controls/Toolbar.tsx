import { type ReactNode, useCallback, useMemo, useRef } from "react";
import { Slider } from "../../../ui/Slider.tsx";
import { type Choices, type ChoicesHandle, MOST_CUT_OFF_DEG } from "../choices.ts";
import { CONSTELLATIONS } from "../constellations.ts";
import { ConstellationToggles } from "./ConstellationToggles.tsx";
import { QuietSegments, QuietSelect } from "./quiet.ts";
import classes from "../satellites.module.css";
import type { Sky } from "../data/sky.ts";

const BODIES = [
  { value: "figures", label: "Figures" },
  { value: "values", label: "Values" },
] as const;

interface ToolbarProps extends ChoicesHandle {
  /** null while there is none to choose from. */
  readonly sky: Sky | null;
  readonly band: number;
  readonly station: ReactNode;
  /** Share of the range that is read, while it is being read. */
  readonly reading: number | null;
}

/** What of the sky is looked at: all figures obey. */
export function Toolbar({ sky, band, station, reading, choices, change }: ToolbarProps) {
  const { hidden, cutOffDeg, body } = choices;
  // While another station is read, what is chosen stays where it is.
  const last = useRef(sky);
  if (sky === null || sky.prns.length > 0) last.current = sky;
  const known = last.current;
  const present = CONSTELLATIONS.filter((_, kind) => known?.constellation.includes(kind)).map(({ name }) => name);
  const bands = known?.bands.map(({ name }) => name) ?? [];
  const bandNames = bands.join(" ");
  const bandChoices = useMemo(
    () => bandNames.split(" ").map((name) => ({ value: name, label: `Band ${name}` })),
    [bandNames],
  );
  const chooseBand = useCallback((name: string) => change({ band: name }), [change]);
  const chooseBody = useCallback((to: Choices["body"]) => change({ body: to }), [change]);
  return (
    <div className={classes["toolbar"]} role="group" aria-label="What is shown of the satellites">
      {station}
      {bands.length > 0 ? (
        <QuietSelect
          label="Band of C/N0"
          choices={bandChoices}
          value={bands[band] ?? bands[0]!}
          onChange={chooseBand}
        />
      ) : null}
      <ConstellationToggles present={present.join(" ")} hidden={hidden.join(" ")} change={change} />
      {sky ? (
        <div className={classes["cutOff"]}>
          <span aria-hidden>Cut-off</span>
          <Slider
            label="Elevation cut-off"
            min={0}
            max={MOST_CUT_OFF_DEG}
            step={1}
            page={5}
            value={cutOffDeg}
            text={`${cutOffDeg}°`}
            onChange={(deg) => change({ cutOffDeg: deg })}
          />
          <b>{cutOffDeg}°</b>
        </div>
      ) : null}
      <span className={classes["spring"]} />
      {reading === null ? null : <span className={classes["reading"]}>Reading: {Math.round(reading * 100)} %</span>}
      <QuietSegments label="Show" choices={BODIES} value={body} onChange={chooseBody} />
    </div>
  );
}
