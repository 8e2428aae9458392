import classes from "./slider.module.css";

interface SliderProps {
  /** Read aloud; shown only where the view does. */
  readonly label: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly step: number;
  /** How far Page up and Page down go. */
  readonly page?: number;
  /** The value in words, with its unit. */
  readonly text: string;
  readonly onChange: (value: number) => void;
}

/** The system's own slider: arrows go a step, Page up and Page down farther, Home and End to the ends. */
export function Slider({ label, value, min, max, step, page, text, onChange }: SliderProps) {
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
        const sign = event.key === "PageUp" ? 1 : event.key === "PageDown" ? -1 : 0;
        if (sign === 0 || page === undefined) return;
        event.preventDefault();
        onChange(Math.min(max, Math.max(min, value + sign * page)));
      }}
    />
  );
}
