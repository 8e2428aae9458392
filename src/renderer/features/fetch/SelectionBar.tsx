import classes from "./fetch.module.css";
import { FetchButton } from "./FetchButton.tsx";
import { ModeControls } from "./ModeControls.tsx";
import { VariableToggles } from "./VariableToggles.tsx";

/** The variables and mode of the selection, and the button that fetches it. */
export function SelectionBar() {
  return (
    <div className={classes["bar"]}>
      <VariableToggles />
      <ModeControls />
      <span className={classes["cost"]}>
        <FetchButton />
      </span>
    </div>
  );
}
