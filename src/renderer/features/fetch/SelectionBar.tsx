import classes from "./fetch.module.css";
import { FetchButton } from "./FetchButton.tsx";
import { ModeControls } from "./ModeControls.tsx";
import { VariableToggles } from "./VariableToggles.tsx";

/** What the views show, and what bringing the rest of it would cost. */
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
