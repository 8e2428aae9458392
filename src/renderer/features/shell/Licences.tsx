import { useEffect, useState } from "react";
import classes from "./dialogs.module.css";

/** Under which licences the parts are that this program is built with; loaded when someone wants to read them. */
export function Licences() {
  const [text, setText] = useState<string | null>(null);
  useEffect(() => {
    void import("virtual:licences").then((found) => setText(found.default));
  }, []);
  return (
    // Scrolled with the keyboard too.
    <div className={classes["licences"]} role="region" aria-label="Licences of components" tabIndex={0}>
      {text ?? "Loading …"}
    </div>
  );
}
