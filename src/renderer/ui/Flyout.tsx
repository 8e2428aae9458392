import type { ReactNode } from "react";
import { Dialog, DialogTrigger, Popover } from "react-aria-components";
import floating from "./floating.module.css";
import classes from "./flyout.module.css";

interface FlyoutProps {
  /** A button of this kit. */
  readonly button: ReactNode;
  /** What is in it, read aloud when it opens. */
  readonly label: string;
  readonly children: ReactNode | ((close: () => void) => ReactNode);
  readonly placement?: "bottom start" | "bottom end";
}

/** Controls that drop from a button, and go with Esc or a click elsewhere. */
export function Flyout({ button, label, children, placement = "bottom start" }: FlyoutProps) {
  return (
    <DialogTrigger>
      {button}
      <Popover className={floating["popover"]!} offset={4} placement={placement}>
        <Dialog aria-label={label} className={classes["flyout"]!}>
          {({ close }) => (typeof children === "function" ? children(close) : children)}
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}
