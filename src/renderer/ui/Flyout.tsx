import type { ReactNode } from "react";
import { Dialog, DialogTrigger, Popover } from "react-aria-components";
import floating from "./floating.module.css";

interface FlyoutProps {
  /** A button from this folder. */
  readonly button: ReactNode;
  /** Read by screen readers when it opens. */
  readonly label: string;
  readonly children: ReactNode | ((close: () => void) => ReactNode);
  readonly placement?: "bottom start" | "bottom end" | "top end";
}

/** Controls in a popover beside a button. Esc and a click outside close it. */
export function Flyout({ button, label, children, placement = "bottom start" }: FlyoutProps) {
  return (
    <DialogTrigger>
      {button}
      <Popover className={floating["popover"]} offset={4} placement={placement}>
        <Dialog aria-label={label} className="p-3 outline-none">
          {({ close }) => (typeof children === "function" ? children(close) : children)}
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}
