import { type ReactNode, useRef } from "react";
import { Popover, type PopoverProps } from "react-aria-components";
import floating from "./floating.module.css";

interface PopoverAtProps extends Pick<PopoverProps, "placement" | "offset"> {
  /** Position in the window, CSS pixels. */
  readonly x: number;
  readonly y: number;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** An open popover at a position of the window. */
export function PopoverAt({ x, y, onClose, children, ...props }: PopoverAtProps) {
  const anchor = useRef<HTMLSpanElement>(null);
  return (
    <>
      <span ref={anchor} className={floating["anchor"]} style={{ left: x, top: y }} />
      <Popover
        {...props}
        triggerRef={anchor}
        isOpen
        onOpenChange={(isOpen) => {
          if (!isOpen) onClose();
        }}
        className={floating["popover"]}
      >
        {children}
      </Popover>
    </>
  );
}
