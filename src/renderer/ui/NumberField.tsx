import { useState } from "react";
import type { KeyboardEvent } from "react-aria-components";
import { TextField } from "./fields.tsx";
import { useInvalidField } from "./InputScope.tsx";

const THOUSANDS = /^[-+]?\d{1,3}(,\d{3})+(\.\d*)?$/;

/** Parses a number with a decimal point or comma, with or without thousands separators; null for anything else. */
export function parseNumber(text: string): number | null {
  const plain = text.trim().replace("−", "-");
  const tidy = THOUSANDS.test(plain) ? plain.replaceAll(",", "") : plain.replace(",", ".");
  // Number() would also accept 0x10, and read an empty text as 0.
  if (!/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(tidy)) return null;
  const value = Number(tidy);
  return Number.isFinite(value) ? value : null;
}

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

/**
 * A number field that reports its value on blur or Enter; the arrow keys change it by one. Both decimal signs are
 * understood. Text that is not a number, or one out of range, stays in the field with the reason, and is not reported;
 * until it is corrected, the scope around the field has no result.
 */
export function NumberField({ value, onChange, min = -Infinity, max = Infinity, ...props }: NumberFieldProps) {
  /** null while the field shows the value. */
  const [typed, setTyped] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const discard = (): void => {
    setTyped(null);
    setProblem(null);
  };
  useInvalidField(problem !== null, discard);

  const report = (next: number | null): void => {
    discard();
    if (next !== value) onChange(next);
  };
  const commit = (): void => {
    if (typed === null) return;
    if (typed.trim() === "") return report(null);
    const next = parseNumber(typed);
    if (next !== null && next >= min && next <= max) return report(next);
    setProblem(next === null ? "This is not a number." : rangeWords(min, max));
  };
  const step = (by: number): void => {
    const from = parseNumber(typed ?? "") ?? value ?? 0;
    report(Math.min(max, Math.max(min, from + by)));
  };
  return (
    <TextField
      inputMode="decimal"
      {...props}
      value={typed ?? (value === null ? "" : String(value))}
      onChange={setTyped}
      problem={problem}
      onBlur={commit}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key === "ArrowUp") return step(1);
        if (event.key === "ArrowDown") return step(-1);
        if (event.key === "Enter") commit();
        // Otherwise, Escape would not close the dialog around the field.
        event.continuePropagation();
      }}
    />
  );
}

interface AmountFieldProps extends Omit<NumberFieldProps, "value" | "onChange"> {
  readonly value: number;
  readonly onChange: (value: number) => void;
}

/** A number field that is never empty: clearing it keeps the number before. */
export function AmountField({ min = 0, onChange, ...props }: AmountFieldProps) {
  return <NumberField {...props} min={min} onChange={(value) => value !== null && onChange(value)} />;
}

function rangeWords(min: number, max: number): string {
  const [low, high] = [min, max].map((limit) => String(limit).replace("-", "−"));
  if (max === Infinity) return `At least ${low}.`;
  return min === -Infinity ? `At most ${high}.` : `From ${low} to ${high}.`;
}
