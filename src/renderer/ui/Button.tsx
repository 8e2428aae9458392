import type { ReactNode } from "react";
import { Button as AriaButton, type ButtonProps as AriaButtonProps, ToggleButton } from "react-aria-components";
import type { CommandId } from "#shared/commands.ts";
import classes from "./controls.module.css";
import { Hint } from "./Hint.tsx";
import { withShortcut } from "./withShortcut.ts";

interface ButtonProps extends Omit<AriaButtonProps, "className" | "children"> {
  readonly children: ReactNode;
  /** `primary`: the main action, at most one visible. `quiet`: without a border. */
  readonly look?: "primary" | "plain" | "quiet" | "danger";
}

export function Button({ look = "plain", children, ...props }: ButtonProps) {
  return (
    <AriaButton {...props} className={`${classes["button"]} ${look === "plain" ? "" : classes[look]}`}>
      {children}
    </AriaButton>
  );
}

interface IconButtonProps extends Omit<AriaButtonProps, "className" | "children" | "aria-label"> {
  /** The action, for screen readers and as a tooltip. */
  readonly label: string;
  /** The command with the same action; its key is shown in the tooltip. */
  readonly command?: CommandId;
  readonly children: ReactNode;
}

/** A button with only an icon. */
export function IconButton({ label, command, children, ...props }: IconButtonProps) {
  return (
    <Hint text={command ? withShortcut(label, command) : label}>
      <AriaButton
        {...props}
        aria-label={label}
        className={`${classes["button"]} ${classes["quiet"]} ${classes["icon"]}`}
      >
        {children}
      </AriaButton>
    </Hint>
  );
}

interface ToggleProps {
  readonly id?: string;
  readonly label?: string;
  readonly children: ReactNode;
  readonly isSelected: boolean;
  readonly isDisabled?: boolean;
  readonly onChange: (isSelected: boolean) => void;
}

/** A toggle button. */
export function Toggle({ label, children, ...props }: ToggleProps) {
  return (
    <ToggleButton {...props} {...(label === undefined ? {} : { "aria-label": label })} className={classes["button"]}>
      {children}
    </ToggleButton>
  );
}
