import { Check, ChevronDown, Minus } from "lucide-react";
import type { ReactNode } from "react";
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

export interface Choice<Value extends string> {
  readonly value: Value;
  readonly label: string;
  /** Said beside the label, quieter. */
  readonly detail?: string;
  /** Cannot be unticked, where several are ticked. */
  readonly isFixed?: boolean;
}

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly choices: readonly Choice<Value>[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly isDisabled?: boolean;
  /** The label is shown above; else it is only for readers of the screen. */
  readonly showLabel?: boolean;
}

/** One of a list that drops down. */
export function Select<Value extends string>(props: ChoiceProps<Value>) {
  const { label, choices, value, onChange, isDisabled = false, showLabel = false } = props;
  return (
    <AriaSelect
      {...(showLabel ? {} : { "aria-label": label })}
      className={classes["field"]!}
      isDisabled={isDisabled}
      value={value}
      onChange={(key) => onChange(key as Value)}
    >
      {showLabel ? <Label className={classes["label"]}>{label}</Label> : null}
      <Button className={`${classes["button"]} ${classes["select"]}`}>
        <SelectValue />
        <ChevronDown aria-hidden />
      </Button>
      <Popover className={floating["popover"]!} offset={4}>
        <ListBox className={floating["list"]!}>
          {choices.map((choice) => (
            <ListBoxItem key={choice.value} id={choice.value} textValue={choice.label} className={floating["item"]!}>
              <Check aria-hidden data-tick className={floating["tick"]} />
              <span>{choice.label}</span>
              {choice.detail ? <span className={floating["end"]}>{choice.detail}</span> : null}
            </ListBoxItem>
          ))}
        </ListBox>
      </Popover>
    </AriaSelect>
  );
}

/** One of a few, all in sight. */
export function Segments<Value extends string>(props: ChoiceProps<Value>) {
  const { label, choices, value, onChange, isDisabled = false } = props;
  return (
    <ToggleButtonGroup
      aria-label={label}
      className={classes["segments"]!}
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
        <ToggleButton key={choice.value} id={choice.value} className={classes["segment"]!}>
          {choice.label}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}

interface TickProps {
  readonly children: ReactNode;
  readonly isSelected: boolean;
  readonly onChange: (isSelected: boolean) => void;
  readonly isDisabled?: boolean;
}

export function Checkbox({ children, ...props }: TickProps & { readonly isIndeterminate?: boolean }) {
  return (
    <AriaCheckbox {...props} className={classes["check"]!}>
      <span className={classes["box"]}>{props.isIndeterminate ? <Minus aria-hidden /> : <Check aria-hidden />}</span>
      {children}
    </AriaCheckbox>
  );
}

export function Switch({ children, ...props }: TickProps) {
  return (
    <AriaSwitch {...props} className={classes["switch"]!}>
      <span className={classes["track"]} />
      {children}
    </AriaSwitch>
  );
}
