import { type ReactNode, useRef } from "react";
import { Toggle } from "../../ui/Button.tsx";
import { Segments, Select } from "../../ui/choices.tsx";
import { Slider } from "../../ui/Slider.tsx";
import { type ChoicesHandle, MOST_CUT_OFF_DEG } from "./choices.ts";
import { CONSTELLATIONS } from "./constellations.ts";
import { MarkSwatch } from "./MarkSwatch.tsx";
import classes from "./satellites.module.css";
import type { Sky } from "./sky.ts";

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
  const present = known ? CONSTELLATIONS.filter((_, kind) => known.constellation.includes(kind)) : [];
  return (
    <div className={classes["toolbar"]} role="group" aria-label="What is shown of the satellites">
      {station}
      {known && known.bands.length > 0 ? (
        <Select
          label="Band of C/N0"
          choices={known.bands.map(({ name }) => ({ value: name, label: `Band ${name}` }))}
          value={(known.bands[band] ?? known.bands[0]!).name}
          onChange={(name) => change({ band: name })}
        />
      ) : null}
      <div className={classes["toggles"]} role="group" aria-label="Constellations">
        {present.map((constellation) => (
          <Toggle
            key={constellation.name}
            isSelected={!hidden.includes(constellation.name)}
            onChange={(on) =>
              change({
                hidden: on ? hidden.filter((name) => name !== constellation.name) : [...hidden, constellation.name],
              })
            }
          >
            <MarkSwatch constellation={constellation} />
            {constellation.name}
          </Toggle>
        ))}
      </div>
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
      <Segments label="Show" choices={BODIES} value={body} onChange={(to) => change({ body: to })} />
    </div>
  );
}
