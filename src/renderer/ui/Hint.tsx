import type { ReactElement, ReactNode } from "react";
import { Tooltip, TooltipTrigger } from "react-aria-components";
import classes from "./floating.module.css";

/** A tooltip, shown on hover and on focus. The child must be a button from this folder. */
export function Hint({ text, children }: { readonly text: ReactNode; readonly children: ReactElement }) {
  return (
    <TooltipTrigger delay={500} closeDelay={50}>
      {children}
      <Tooltip className={classes["tooltip"]} offset={6}>
        {text}
      </Tooltip>
    </TooltipTrigger>
  );
}
