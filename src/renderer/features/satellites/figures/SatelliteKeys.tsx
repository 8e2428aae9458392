import { useId } from "react";
import classes from "../satellites.module.css";
import type { Shown } from "../choices.ts";
import { entriesAt, prnAt } from "../data/sky.ts";
import { useEpoch } from "../data/moment.ts";
import { entryWords } from "../words.ts";

interface SatelliteKeysProps {
  readonly shown: Shown;
  /** Identifier of the highlighted satellite. */
  readonly highlighted: string | null;
  readonly onHighlight: (prn: string | null) => void;
}

/**
 * Keyboard access to the sky plot: an invisible list box over it that steps through the satellites of the moment by
 * identifier. It contains only the current option.
 */
export function SatelliteKeys({ shown, highlighted, onHighlight }: SatelliteKeysProps) {
  const { sky, filter } = shown;
  const id = useId();
  const epoch = useEpoch(shown);
  const satellites = entriesAt(sky, filter, epoch)
    .map((entry) => ({ entry, prn: prnAt(sky, entry) }))
    .toSorted((a, b) => (a.prn < b.prn ? -1 : 1));
  const index = satellites.findIndex(({ prn }) => prn === highlighted);
  const shownIndex = Math.max(0, index);
  const current = satellites[shownIndex];
  if (!current) return null;
  const optionId = `${id}-${current.prn}`;

  const step = (key: string): number | null => {
    const last = satellites.length - 1;
    if (key === "Home") return 0;
    if (key === "End") return last;
    if (key === "ArrowRight" || key === "ArrowDown") return index < 0 ? 0 : Math.min(last, index + 1);
    if (key === "ArrowLeft" || key === "ArrowUp") return index < 0 ? last : Math.max(0, index - 1);
    return null;
  };
  return (
    <div
      className={classes["keys"]}
      role="listbox"
      aria-label="Satellites of the sky plot"
      aria-activedescendant={optionId}
      tabIndex={0}
      onFocus={() => {
        if (highlighted === null) onHighlight(current.prn);
      }}
      onKeyDown={(event) => {
        if (event.altKey || event.ctrlKey || event.metaKey) return;
        const to = step(event.key);
        if (to === null && !(event.key === "Escape" && highlighted !== null)) return;
        event.preventDefault();
        event.stopPropagation();
        onHighlight(to === null ? null : (satellites[to]?.prn ?? null));
      }}
    >
      <div
        key={optionId}
        id={optionId}
        className="visually-hidden"
        role="option"
        aria-selected={index >= 0}
        aria-posinset={shownIndex + 1}
        aria-setsize={satellites.length}
      >
        {entryWords(sky, current.entry)}
      </div>
    </div>
  );
}
