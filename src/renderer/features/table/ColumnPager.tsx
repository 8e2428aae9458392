import { ChevronLeft, ChevronRight } from "lucide-react";
import { IconButton } from "../../ui/Button.tsx";
import { count } from "../../ui/text.ts";
import { MOST_COLUMNS } from "./fileRows.ts";
import classes from "./table.module.css";

interface ColumnPagerProps {
  readonly first: number;
  /** Not included. */
  readonly last: number;
  readonly of: number;
  readonly onFirst: (first: number) => void;
}

/** Which columns are shown of how many, and the way to the others; the rows stay where they are. */
export function ColumnPager({ first, last, of, onFirst }: ColumnPagerProps) {
  return (
    <div role="group" aria-label="Columns" className={classes["pager"]}>
      <IconButton
        label="Previous columns"
        isDisabled={first === 0}
        onPress={() => onFirst(Math.max(0, first - MOST_COLUMNS))}
      >
        <ChevronLeft aria-hidden />
      </IconButton>
      <span aria-live="polite">
        Columns {count(first + 1)} to {count(last)} of {count(of)}
      </span>
      <IconButton label="Next columns" isDisabled={last >= of} onPress={() => onFirst(first + MOST_COLUMNS)}>
        <ChevronRight aria-hidden />
      </IconButton>
    </div>
  );
}
