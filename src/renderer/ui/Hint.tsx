import type { ReactElement, ReactNode } from "react";
import { Tooltip, TooltipTrigger } from "react-aria-components";
import classes from "./floating.module.css";

/** A short text that appears beside what it explains, on hover and on focus. The child must be a button of this kit. */
export function Hint({ text, children }: { readonly text: ReactNode; readonly children: ReactElement }) {
  return (
    <TooltipTrigger delay={500} closeDelay={50}>
      {children}
      <Tooltip className={classes["tooltip"]!} offset={6}>
        {text}
      </Tooltip>
    </TooltipTrigger>
  );
}
