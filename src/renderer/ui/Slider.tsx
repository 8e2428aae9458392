import classes from "./slider.module.css";

interface SliderProps {
  /** For screen readers; not shown. */
  readonly label: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly step: number;
  /** Change by Page Up and Page Down. */
  readonly page?: number;
  /** The value as text, with its unit. */
  readonly text: string;
  readonly onChange: (value: number) => void;
  /** For what the slider is part of: plays or pauses. */
  readonly onSpace?: () => void;
}

/** The browser's slider: arrow keys change the value by `step`, Page Up and Page Down by `page`, Home and End go to the ends. */
export function Slider({ label, value, min, max, step, page, text, onChange, onSpace }: SliderProps) {
  return (
    <input
      type="range"
      className={classes["slider"]}
      aria-label={label}
      aria-valuetext={text}
      min={min}
      max={max}
      step={step}
      value={value}
      onChange={(event) => onChange(Number(event.currentTarget.value))}
      onKeyDown={(event) => {
        if (event.key === " " && onSpace) {
          event.preventDefault();
          onSpace();
        }
        const sign = event.key === "PageUp" ? 1 : event.key === "PageDown" ? -1 : 0;
        if (sign === 0 || page === undefined) return;
        event.preventDefault();
        onChange(Math.min(max, Math.max(min, value + sign * page)));
      }}
    />
  );
}
