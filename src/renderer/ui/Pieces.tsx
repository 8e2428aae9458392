import { Fragment } from "react";
import classes from "./pieces.module.css";

interface PiecesProps {
  readonly text: string;
  /** Where a line may end: behind the space in it. */
  readonly between: " · " | " ";
}

/** A text whose lines end only between its pieces: never inside of a date, which a browser breaks at its hyphens. */
export function Pieces({ text, between }: PiecesProps) {
  const pieces = text.split(between);
  return pieces.map((piece, i) => (
    // The same text has the same pieces at the same places.
    <Fragment key={`${i} ${piece}`}>
      {i > 0 ? " " : ""}
      <span className={classes["piece"]}>
        {piece}
        {i < pieces.length - 1 ? between.trimEnd() : ""}
      </span>
    </Fragment>
  ));
}
