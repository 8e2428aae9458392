import { ToggleButton } from "react-aria-components";
import { Hint } from "../../ui/Hint.tsx";
import { count } from "../../ui/text.ts";
import classes from "./catalogue.module.css";

interface ChosenToggleProps {
  readonly chosen: number;
  /** The list shows no others. */
  readonly isOnly: boolean;
  readonly onChange: (isOnly: boolean) => void;
}

/** How many stations are chosen; a press lists them alone. */
export function ChosenToggle({ chosen, isOnly, onChange }: ChosenToggleProps) {
  return (
    <Hint text={isOnly ? "Show the other stations too" : "List only these"}>
      <ToggleButton className={classes["chosen"]!} isSelected={isOnly} onChange={onChange}>
        {count(chosen)} selected
      </ToggleButton>
    </Hint>
  );
}
