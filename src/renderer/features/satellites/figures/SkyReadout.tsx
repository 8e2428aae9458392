import { many } from "../../../ui/text.ts";
import type { Shown } from "../shown.ts";
import { entriesAt } from "../data/sky.ts";
import { useEpoch } from "../data/useEpoch.ts";
import { entryWords, READING } from "../words.ts";

interface SkyReadoutProps {
  readonly shown: Shown;
  /** The entry under the cursor; -1: none. */
  readonly entryUnder: () => number;
  readonly chosen: string | null;
}

/** The satellite under the cursor, else the chosen one, else how many there are. */
export function SkyReadout({ shown, entryUnder, chosen }: SkyReadoutProps) {
  const { sky, filter } = shown;
  const epoch = useEpoch(shown);
  if (sky.timesMs.length === 0) return READING;
  if (epoch < 0) return "No observation at this moment.";
  const seen = entriesAt(sky, filter, epoch);
  const under = entryUnder();
  const entry = under >= 0 ? under : (seen.find((i) => sky.prns[sky.prn[i]!] === chosen) ?? -1);
  if (entry >= 0) return entryWords(sky, entry);
  const placeless = seen.filter((i) => Number.isNaN(sky.x[i]!)).length;
  const parts = [
    ...(chosen === null ? [] : [`${chosen} is not in view`]),
    placeless === 0
      ? many(seen.length, "satellite")
      : `${many(seen.length, "satellite")}, ${placeless} of them without elevation or azimuth: listed under Values`,
  ];
  return parts.join(" · ");
}
