import type { LucideIcon, LucideProps } from "lucide-react";
import { type ComponentType, type ReactElement, type ReactNode, useState } from "react";
import {
  Button as AriaButton,
  type ButtonProps as AriaButtonProps,
  ToggleButton,
  Tooltip,
  TooltipTrigger,
} from "react-aria-components";
import { type CommandId, commandOf } from "#shared/commands.ts";
import { isCopied } from "../stores/copyText.ts";
import floatingClasses from "./floating.module.css";
import classes from "./controls.module.css";

/** A tooltip, shown on hover and on focus. The child must be a button from this folder. */
export function Hint({ text, children }: { readonly text: ReactNode; readonly children: ReactElement }) {
  return (
    <TooltipTrigger delay={500} closeDelay={50}>
      {children}
      <Tooltip className={floatingClasses["tooltip"]} offset={6}>
        {text}
      </Tooltip>
    </TooltipTrigger>
  );
}

/** Adds a command's single key to the tooltip of a button: "Export (E)". */
export function withShortcut(text: string, id: CommandId): string {
  const key = keyOf(id);
  return key === undefined ? text : `${text} (${key})`;
}

function keyOf(id: CommandId): string | undefined {
  const { key, accelerator } = commandOf(id);
  return key?.toUpperCase() ?? (accelerator?.includes("+") ? undefined : accelerator);
}

interface ButtonProps extends Omit<AriaButtonProps, "className" | "children"> {
  readonly children: ReactNode;
  /** Before the text. */
  readonly icon?: LucideIcon;
  /** `primary`: the main action, at most one visible. `quiet`: without a border. */
  readonly look?: "primary" | "plain" | "quiet" | "danger";
}

export function Button({ look = "plain", icon: Icon, children, ...props }: ButtonProps) {
  return (
    <AriaButton {...props} className={`${classes["button"]} ${look === "plain" ? "" : classes[look]}`}>
      {Icon ? <Icon aria-hidden /> : null}
      {children}
    </AriaButton>
  );
}

/** A button without a border, with a short label. */
export function QuietButton({ label, ...props }: Omit<ButtonProps, "children" | "look"> & { readonly label: string }) {
  return (
    <Button {...props} look="quiet">
      {label}
    </Button>
  );
}

interface IconButtonProps extends Omit<AriaButtonProps, "className" | "children" | "aria-label"> {
  /** The action, for screen readers and as a tooltip; an element renders alone when it changes. */
  readonly label: string | ReactElement;
  /** The command with the same action; its key is shown in the tooltip. */
  readonly command?: CommandId;
  /** A key with the same action that is not of a command. */
  readonly shortcut?: string;
  readonly icon: ComponentType<LucideProps>;
}

export function IconButton({ label, command, shortcut, icon: Icon, ...props }: IconButtonProps) {
  const key = shortcut ?? (command && keyOf(command));
  return (
    <Hint
      text={
        <>
          {label}
          {key === undefined ? "" : ` (${key})`}
        </>
      }
    >
      <AriaButton
        {...props}
        {...(typeof label === "string" ? { "aria-label": label } : {})}
        className={`${classes["button"]} ${classes["quiet"]} ${classes["icon"]}`}
      >
        <Icon aria-hidden />
        {typeof label === "string" ? null : <span className="visually-hidden">{label}</span>}
      </AriaButton>
    </Hint>
  );
}

interface ToggleProps {
  readonly id?: string;
  readonly label?: string;
  readonly children: ReactNode;
  readonly value: boolean;
  readonly isDisabled?: boolean;
  readonly onChange: (value: boolean) => void;
}

export function Toggle({ label, value, children, ...props }: ToggleProps) {
  return (
    <ToggleButton
      {...props}
      isSelected={value}
      {...(label === undefined ? {} : { "aria-label": label })}
      className={classes["button"]}
    >
      {children}
    </ToggleButton>
  );
}

/** Copies a text and shows whether that succeeded. */
export function CopyButton({ text, children }: { readonly text: () => string; readonly children: ReactNode }) {
  const [message, setMessage] = useState<string | null>(null);
  const copy = async (): Promise<void> => {
    setMessage((await isCopied(text())) ? "Copied" : "The clipboard is unavailable: select the text instead");
  };
  return (
    <Button onPress={() => void copy()}>
      {/* Not role="status", whose text does not count as the button's accessible name. */}
      <span aria-live="polite">{message ?? children}</span>
    </Button>
  );
}
