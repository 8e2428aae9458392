import type { ReactNode } from "react";
import { Button as AriaButton, type ButtonProps as AriaButtonProps, ToggleButton } from "react-aria-components";
import type { CommandId } from "#shared/commands.ts";
import classes from "./controls.module.css";
import { Hint } from "./Hint.tsx";
import { withKey } from "./withKey.ts";

export interface ButtonProps extends Omit<AriaButtonProps, "className" | "children"> {
  readonly children: ReactNode;
  /** `primary`: what the view is there for, at most one in sight. `quiet`: without a border. */
  readonly look?: "primary" | "plain" | "quiet" | "danger";
}

export function Button({ look = "plain", children, ...props }: ButtonProps) {
  return (
    <AriaButton {...props} className={`${classes["button"]} ${look === "plain" ? "" : classes[look]}`}>
      {children}
    </AriaButton>
  );
}

export interface IconButtonProps extends Omit<AriaButtonProps, "className" | "children" | "aria-label"> {
  /** What it does, read aloud and shown as a hint. */
  readonly label: string;
  /** The command that does the same: its key is part of the hint. */
  readonly command?: CommandId;
  readonly children: ReactNode;
}

/** A button that shows only a picture. */
export function IconButton({ label, command, children, ...props }: IconButtonProps) {
  return (
    <Hint text={command ? withKey(label, command) : label}>
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

export interface ToggleProps {
  readonly id?: string;
  readonly label?: string;
  readonly children: ReactNode;
  readonly isSelected: boolean;
  readonly isDisabled?: boolean;
  readonly onChange: (isSelected: boolean) => void;
}

/** A button that stays pressed. */
export function Toggle({ label, children, ...props }: ToggleProps) {
  return (
    <ToggleButton {...props} {...(label === undefined ? {} : { "aria-label": label })} className={classes["button"]!}>
      {children}
    </ToggleButton>
  );
}
