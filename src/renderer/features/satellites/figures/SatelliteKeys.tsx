import { useId } from "react";
import classes from "../satellites.module.css";
import type { Shown } from "../shown.ts";
import { entriesAt } from "../data/sky.ts";
import { useEpoch } from "../data/moment.ts";
import { entryWords } from "../words.ts";

interface SatelliteKeysProps {
  readonly shown: Shown;
  /** Identifier of the satellite that stands out. */
  readonly chosen: string | null;
  readonly onChoose: (prn: string | null) => void;
}

/**
 * The sky plot for the keyboard: lies over it, takes the focus, and steps through the satellites of the moment by
 * identifier. The list holds only the one that is read aloud.
 */
export function SatelliteKeys({ shown, chosen, onChoose }: SatelliteKeysProps) {
  const { sky, filter } = shown;
  const id = useId();
  const epoch = useEpoch(shown);
  const nameOf = (entry: number): string => sky.prns[sky.prn[entry]!]!;
  const entries = entriesAt(sky, filter, epoch).toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  if (entries.length === 0) return null;
  const place = entries.findIndex((entry) => nameOf(entry) === chosen);
  const shownPlace = Math.max(0, place);
  const entry = entries[shownPlace]!;
  const optionId = `${id}-${nameOf(entry)}`;

  const step = (key: string): number | null => {
    const last = entries.length - 1;
    if (key === "Home") return 0;
    if (key === "End") return last;
    if (key === "ArrowRight" || key === "ArrowDown") return place < 0 ? 0 : Math.min(last, place + 1);
    if (key === "ArrowLeft" || key === "ArrowUp") return place < 0 ? last : Math.max(0, place - 1);
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
        if (chosen === null) onChoose(nameOf(entry));
      }}
      onKeyDown={(event) => {
        if (event.altKey || event.ctrlKey || event.metaKey) return;
        const to = step(event.key);
        if (to === null && !(event.key === "Escape" && chosen !== null)) return;
        event.preventDefault();
        event.stopPropagation();
        onChoose(to === null ? null : nameOf(entries[to]!));
      }}
    >
      <div
        key={optionId}
        id={optionId}
        className="visually-hidden"
        role="option"
        aria-selected={place >= 0}
        aria-posinset={shownPlace + 1}
        aria-setsize={entries.length}
      >
        {entryWords(sky, entry)}
      </div>
    </div>
  );
}
