import { type ReactNode, useMemo, useRef, memo } from "react";
import { Slider } from "../../../ui/Slider.tsx";
import { CHOICES, type Choices, MAX_CUT_OFF_DEG } from "../choices.ts";
import { symbolOutline } from "#shared/plot/figure/symbols.ts";
import { CONSTELLATIONS, type Constellation } from "../constellations.ts";
import { MemoSegments, MemoSelect } from "./memo.ts";
import classes from "../satellites.module.css";
import type { Sky } from "../data/sky.ts";
import { Toggle } from "../../../ui/Button.tsx";
import { fieldsOf } from "../../../ui/fieldsOf.ts";
import { choicesFrom } from "../../../ui/choices.tsx";

/** The symbol of a constellation in the figures. */
function MarkSwatch({ constellation }: { readonly constellation: Constellation }) {
  return (
    <svg aria-hidden width="16" height="12" viewBox="0 0 16 12">
      <path d={`M${symbolOutline(constellation.symbol, [8, 6], 4).join(" ")}`} fill={`var(${constellation.colour})`} />
    </svg>
  );
}

interface ConstellationTogglesProps {
  /** Names separated by spaces, because equal strings avoid rerendering. */
  readonly present: string;
  readonly hidden: string;
}

const ConstellationToggles = memo(function ConstellationToggles(props: ConstellationTogglesProps) {
  const [present, hidden] = [props.present.split(" "), props.hidden.split(" ").filter((name) => name !== "")];
  return (
    <div className={`${classes["toggles"]} flex flex-wrap gap-1`} role="group" aria-label="Constellations">
      {CONSTELLATIONS.filter(({ name }) => present.includes(name)).map((constellation) => (
        <Toggle
          key={constellation.name}
          value={!hidden.includes(constellation.name)}
          onChange={(on) =>
            CHOICES.change({
              hidden: on ? hidden.filter((name) => name !== constellation.name) : [...hidden, constellation.name],
            })
          }
        >
          <MarkSwatch constellation={constellation} />
          {constellation.name}
        </Toggle>
      ))}
    </div>
  );
});

const BODIES = choicesFrom({ figures: "Figures", values: "Values" });

interface ToolbarProps {
  readonly choices: Choices;
  /** null while there is no sky. */
  readonly sky: Sky | null;
  readonly band: number;
  readonly station: ReactNode;
  /** Progress of reading, 0 to 1; null if complete. */
  readonly reading: number | null;
}

/** Options that apply to all figures. */
export function Toolbar({ sky, band, station, reading, choices }: ToolbarProps) {
  const { hidden, cutOffDeg } = choices;
  const field = fieldsOf(choices, CHOICES.change);
  // Keeps the controls while another station is read.
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
  return (
    <div
      className="row flex-wrap gap-x-3 gap-y-2 px-3 py-2 border-b border-line"
      data-main
      role="group"
      aria-label="What is shown of the satellites"
    >
      {station}
      {bands.length > 0 ? (
        <MemoSelect
          label="Band of C/N0"
          choices={bandChoices}
          value={bands[band] ?? bands[0] ?? ""}
          onChange={field("band").onChange}
        />
      ) : null}
      <ConstellationToggles present={present.join(" ")} hidden={hidden.join(" ")} />
      {sky ? (
        <div className={`${classes["cutOff"]} row gap-2 w-[220px] text-quiet whitespace-nowrap`}>
          <span aria-hidden>Cut-off</span>
          <Slider
            label="Elevation cut-off"
            max={MAX_CUT_OFF_DEG}
            page={5}
            text={`${cutOffDeg}°`}
            {...field("cutOffDeg")}
          />
          <b>{cutOffDeg}°</b>
        </div>
      ) : null}
      <span className="flex-1" />
      {reading === null ? null : <span className={classes["reading"]}>Reading: {Math.round(reading * 100)} %</span>}
      <MemoSegments label="Show" choices={BODIES} {...field("body")} />
    </div>
  );
}
