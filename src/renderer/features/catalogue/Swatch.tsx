import { seriesLook } from "#shared/plot/palette.ts";
import classes from "./catalogue.module.css";

/** A sample of the line of a selected station. */
export function Swatch({ slot }: { readonly slot: number }) {
  const { colour, dash } = seriesLook(slot);
  return (
    <svg viewBox="0 0 14 4" aria-hidden className={classes["swatch"]}>
      <line x1="0" y1="2" x2="14" y2="2" stroke={colour} strokeWidth="3" strokeDasharray={dash.join(" ")} />
    </svg>
  );
}
