import { memo } from "react";
import { Toggle } from "../../../ui/Button.tsx";
import type { ChoicesHandle } from "../choices.ts";
import { CONSTELLATIONS } from "../constellations.ts";
import { MarkSwatch } from "./MarkSwatch.tsx";
import classes from "../satellites.module.css";

interface ConstellationTogglesProps {
  /** Names of those that are there and of those that are not shown, with blanks between: equal ones are the same. */
  readonly present: string;
  readonly hidden: string;
  readonly change: ChoicesHandle["change"];
}

export const ConstellationToggles = memo(function ConstellationToggles(props: ConstellationTogglesProps) {
  const { change } = props;
  const [present, hidden] = [props.present.split(" "), props.hidden.split(" ").filter((name) => name !== "")];
  return (
    <div className={classes["toggles"]} role="group" aria-label="Constellations">
      {CONSTELLATIONS.filter(({ name }) => present.includes(name)).map((constellation) => (
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
  );
});
