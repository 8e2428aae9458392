import classes from "./slider.module.css";

interface SliderProps {
  /** For screen readers; not shown. */
  readonly label: string;
  readonly value: number;
  readonly max: number;
  /** Change by Page Up and Page Down. */
  readonly page?: number;
  /** The value as text, with its unit. */
  readonly text: string;
  readonly onChange: (value: number) => void;
  /** For what the slider is part of: plays or pauses. */
  readonly onSpace?: () => void;
}

/** The browser's slider from 0 in steps of 1: arrow keys take a step, Page Up and Page Down `page` steps, Home and End go to the ends. */
export function Slider({ label, value, max, page, text, onChange, onSpace }: SliderProps) {
  return (
    <input
      type="range"
      className={classes["slider"]}
      aria-label={label}
      aria-valuetext={text}
      min={0}
      max={max}
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
        onChange(Math.min(max, Math.max(0, value + sign * page)));
      }}
    />
  );
}
