import { useId } from "react";
import classes from "../satellites.module.css";

interface PlaceKeysProps {
  readonly label: string;
  readonly count: number;
  /** The place that is read; -1: none. */
  readonly place: number;
  /** Number of places in a row: up and down move by a row, upwards on the figure. By default, they move like left and right. */
  readonly perRow?: number;
  readonly textOf: (place: number) => string;
  readonly onChange: (place: number) => void;
  readonly onLeave?: () => void;
}

/**
 * Keyboard access to the places of a figure: an invisible list box over it that steps through them. It contains only
 * the current option.
 */
export function PlaceKeys({ label, count, place, perRow, textOf, onChange, onLeave }: PlaceKeysProps) {
  const id = useId();
  if (count === 0) return null;
  const current = Math.max(0, place);
  const optionId = `${id}-${current}`;
  const row = perRow ?? count;
  const isWithin = (to: number): boolean => to >= 0 && to < count;
  const step = (key: string): number | null => {
    const first = current - (current % row);
    const last = Math.min(count, first + row) - 1;
    const [forward, back] = place < 0 ? [first, last] : [Math.min(last, place + 1), Math.max(first, place - 1)];
    const [up, down] = perRow === undefined ? [back, forward] : [current + row, current - row];
    const keys = { Home: first, End: last, ArrowRight: forward, ArrowLeft: back, ArrowUp: up, ArrowDown: down };
    const to = keys[key as keyof typeof keys] ?? null;
    return to === null || isWithin(to) ? to : current;
  };
  return (
    <div
      className={`${classes["keys"]} absolute inset-0 pointer-events-none`}
      role="listbox"
      aria-label={label}
      aria-activedescendant={optionId}
      tabIndex={0}
      onFocus={() => {
        if (place < 0) onChange(current);
      }}
      onBlur={onLeave}
      onKeyDown={(event) => {
        if (event.altKey || event.ctrlKey || event.metaKey) return;
        const to = step(event.key) ?? (event.key === "Escape" && place >= 0 ? -1 : null);
        if (to === null) return;
        event.preventDefault();
        event.stopPropagation();
        onChange(to);
      }}
    >
      <div
        key={optionId}
        id={optionId}
        className="visually-hidden"
        role="option"
        aria-selected={place >= 0}
        aria-posinset={current + 1}
        aria-setsize={count}
      >
        {textOf(current)}
      </div>
    </div>
  );
}
