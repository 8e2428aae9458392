import { Fragment } from "react";
import classes from "./noWrapParts.module.css";

interface NoWrapPartsProps {
  readonly text: string;
  /** Lines may break only at its space. */
  readonly separator: " · " | " ";
}

/** A text that wraps only between its parts, never inside a date, which a browser would break at a hyphen. */
export function NoWrapParts({ text, separator }: NoWrapPartsProps) {
  const parts = text.split(separator);
  return parts.map((part, i) => (
    <Fragment key={`${i} ${part}`}>
      {i > 0 ? " " : ""}
      <span className={classes["part"]}>
        {part}
        {i < parts.length - 1 ? separator.trimEnd() : ""}
      </span>
    </Fragment>
  ));
}
