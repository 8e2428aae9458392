import { surfaceNamed } from "#shared/station/position.ts";
import type { SeriesGroup } from "../collector/index.ts";
import { isNoValueNumber } from "../meaning/noValue.ts";
import { signOfDegrees, surfaceOfName } from "../meaning/stations.ts";
import { listed, type Notes, quotedName } from "../notes.ts";
import { isElsewhere, type PlaceFields, positionOf } from "../sites.ts";
import type { TableLayout } from "./layout.ts";
import { numberIn } from "./notation.ts";
import { placeUnit } from "./roles.ts";

export function placeReader(layout: TableLayout) {
  const { head, latitude, longitude } = layout;
  const isInRows = latitude >= 0 && longitude >= 0;
  /** The stations that are at several positions. */
  const moving = new Set<SeriesGroup>();
  const unread: string[] = [];
  return {
    moving,
    /**
     * Returns where the station of a row is; null if the row has no readable position.
     * @param known the same station in an earlier row, whose position stays
     */
    of(fields: readonly string[], known: SeriesGroup | undefined): SeriesGroup["position"] {
      const place = placeFields(fields, layout);
      if (known && isElsewhere(known.position, place)) moving.add(known);
      const position = known ? known.position : positionOf(place);
      if (!known && position === null && isInRows) unread.push(...unreadPlace(fields, layout));
      return position;
    },
    /** The place of a row, as it names a point of a grid; "" without one. */
    textOf: (fields: readonly string[]): string =>
      isInRows ? [latitude, longitude].map((at) => `${head.names[at]} ${fields[at]}`).join(", ") : "",
    addNotes(notes: Notes): void {
      if (moving.size > 0)
        notes.add(`Positions that change are not shown: ${listed([...moving].map(({ label }) => label))}.`);
      notes.count(
        `Positions other than latitude and longitude in decimal degrees, such as ${quotedName(unread[0] ?? "")}, are left out`,
        unread.length,
      );
    },
  };
}

function placeFields(fields: readonly string[], layout: TableLayout): PlaceFields {
  const at = (index: number): number => {
    const value = index < 0 ? "none" : numberIn(fields[index] ?? "", layout.notation);
    return typeof value === "number" ? value : Number.NaN;
  };
  // Of columns that the user chose, no direction may be known.
  const degrees = (index: number): number => at(index) * (signOfDegrees(placeUnit(layout.head, index)) ?? 1);
  return {
    latitudeDeg: degrees(layout.latitude),
    longitudeDeg: degrees(layout.longitude),
    heights: Object.fromEntries(
      layout.heights.flatMap((index) => {
        const [metres, name = ""] = [at(index), layout.head.names[index]];
        const own = surfaceOfName(name);
        const stated =
          fields[layout.texts.heightReference] ?? layout.head.comments.find((text) => /height/i.test(text));
        const above = own === "unknown" ? surfaceNamed(stated ?? "") : own;
        return Number.isNaN(metres) ? [] : [[above, metres]];
      }),
    ),
  };
}

/** The texts of a place that is not a position, unless they mean no value. */
function unreadPlace(fields: readonly string[], { latitude, longitude, notation }: TableLayout): string[] {
  const texts = [latitude, longitude].map((at) => fields[at] ?? "");
  const isNothing = texts.some((text) => {
    const value = numberIn(text, notation);
    return value === "none" || (typeof value === "number" && isNoValueNumber(value, (angle) => Math.abs(angle) <= 360));
  });
  return isNothing ? [] : [texts.join(", ")];
}
