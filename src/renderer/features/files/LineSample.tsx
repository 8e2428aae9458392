import classes from "./files.module.css";

/** A sample of a line's colour and dashes, for legends. */
export function LineSample({ colour, dash }: { readonly colour: `--${string}`; readonly dash: readonly number[] }) {
  return (
    <svg aria-hidden width="22" height="8" className={classes["sample"]}>
      <line x1="0" y1="4" x2="22" y2="4" stroke={`var(${colour})`} strokeWidth="2" strokeDasharray={dash.join(" ")} />
    </svg>
  );
}
