import { Check, ChevronDown, Minus } from "lucide-react";
import { type ReactNode, useState } from "react";
import {
  Button,
  Checkbox as AriaCheckbox,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  Select as AriaSelect,
  SelectValue,
  Switch as AriaSwitch,
  ToggleButton,
  ToggleButtonGroup,
} from "react-aria-components";
import classes from "./controls.module.css";
import floating from "./floating.module.css";

export interface Choice<Value extends string | number> {
  readonly value: Value;
  readonly label: string;
  /** Shown beside the label, less prominent. */
  readonly detail?: string;
}

/** Returns choices with these labels, in this order. */
export function choicesFrom<Value extends string>(labels: Readonly<Record<Value, string>>): readonly Choice<Value>[] {
  return Object.entries<string>(labels).map(([value, label]) => ({ value: value as Value, label }));
}

interface ChoiceProps<Value extends string | number> {
  readonly label: string;
  readonly choices: readonly Choice<Value>[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly isDisabled?: boolean;
  /** Whether the label is shown above; otherwise it is only for screen readers. */
  readonly showLabel?: boolean;
}

/** A choice of one value from a drop-down list. */
export function Select<Value extends string | number>(props: ChoiceProps<Value>) {
  const { label, choices, value, onChange, isDisabled = false, showLabel = false } = props;
  const [isOpen, setOpen] = useState(false);
  // React Aria renders all choices of a closed list, hidden: only the chosen one is needed, for the button.
  const listed = isOpen ? choices : choices.filter((choice) => choice.value === value);
  return (
    <AriaSelect
      {...(showLabel ? {} : { "aria-label": label })}
      className={classes["field"]}
      isDisabled={isDisabled}
      isOpen={isOpen}
      onOpenChange={setOpen}
      value={value}
      onChange={(key) => onChange(key as Value)}
    >
      {showLabel ? <Label className={classes["label"]}>{label}</Label> : null}
      <Button className={`${classes["button"]} ${classes["select"]}`}>
        <SelectValue className="truncate min-w-0" />
        <ChevronDown aria-hidden />
      </Button>
      <Popover className={floating["popover"]} offset={4}>
        <ListBox className={floating["list"]}>
          {listed.map((choice) => (
            <ListBoxItem key={choice.value} id={choice.value} textValue={choice.label} className={floating["item"]}>
              {isOpen ? <Check aria-hidden data-tick className={floating["tick"]} /> : null}
              <span>{choice.label}</span>
              {choice.detail ? <span className={floating["end"]}>{choice.detail}</span> : null}
            </ListBoxItem>
          ))}
        </ListBox>
      </Popover>
    </AriaSelect>
  );
}

/** A choice of one of a few values, all visible. */
export function Segments<Value extends string | number>(props: ChoiceProps<Value>) {
  const { label, choices, value, onChange, isDisabled = false } = props;
  return (
    <ToggleButtonGroup
      aria-label={label}
      className={classes["segments"]}
      selectionMode="single"
      disallowEmptySelection
      isDisabled={isDisabled}
      selectedKeys={[value]}
      onSelectionChange={(keys) => {
        const [key] = keys;
        if (key !== undefined) onChange(key as Value);
      }}
    >
      {choices.map((choice) => (
        <ToggleButton key={choice.value} id={choice.value} className={classes["segment"]}>
          {choice.label}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}

interface CheckboxProps {
  readonly children: ReactNode;
  readonly value: boolean;
  readonly onChange: (value: boolean) => void;
  readonly isDisabled?: boolean;
}

export function Checkbox({ children, value, ...props }: CheckboxProps & { readonly isIndeterminate?: boolean }) {
  return (
    <AriaCheckbox {...props} isSelected={value} className={classes["check"]}>
      <span className={classes["box"]}>{props.isIndeterminate ? <Minus aria-hidden /> : <Check aria-hidden />}</span>
      {children}
    </AriaCheckbox>
  );
}

/** An explanation below a switch or checkbox. */
export function Explained({ text, children }: { readonly text: string; readonly children: ReactNode }) {
  return (
    <div>
      {children}
      <p className="mt-1 max-w-[440px] text-faint text-small leading-4">{text}</p>
    </div>
  );
}

export function Switch({ children, value, ...props }: CheckboxProps) {
  return (
    <AriaSwitch {...props} isSelected={value} className={classes["switch"]}>
      <span className={classes["track"]} />
      {children}
    </AriaSwitch>
  );
}
