import { Input, Label, NumberField as AriaNumberField } from "react-aria-components";
import classes from "./controls.module.css";

interface NumberFieldProps {
  readonly label: string;
  readonly isLabelHidden?: boolean;
  /** null if the field is empty. */
  readonly value: number | null;
  readonly onChange: (value: number | null) => void;
  readonly min?: number;
  readonly max?: number;
  readonly placeholder?: string;
  readonly isDisabled?: boolean;
}

/** A number field that reports its value on blur or Enter. */
export function NumberField(props: NumberFieldProps) {
  const { label, isLabelHidden = false, value, onChange, min, max, placeholder, isDisabled = false } = props;
  return (
    <AriaNumberField
      className={classes["field"]}
      value={value ?? Number.NaN}
      onChange={(next) => onChange(Number.isNaN(next) ? null : next)}
      {...(min === undefined ? {} : { minValue: min })}
      {...(max === undefined ? {} : { maxValue: max })}
      isDisabled={isDisabled}
      formatOptions={{ maximumFractionDigits: 2 }}
    >
      <Label className={isLabelHidden ? "visually-hidden" : classes["label"]}>{label}</Label>
      <Input className={classes["input"]} {...(placeholder ? { placeholder } : {})} />
    </AriaNumberField>
  );
}
