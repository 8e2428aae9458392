import type { ReactNode } from "react";
import classes from "./settings.module.css";

/** One line of the settings: what is set, what that means, and the control. */
export function Setting(props: { readonly name: string; readonly hint: string; readonly children: ReactNode }) {
  return (
    <div className={classes["setting"]}>
      <div>
        <h4>{props.name}</h4>
        <p className={classes["text"]}>{props.hint}</p>
      </div>
      <div className={classes["choice"]}>{props.children}</div>
    </div>
  );
}
