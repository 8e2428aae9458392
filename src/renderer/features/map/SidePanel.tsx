import { useMemo, useState } from "react";
import { ListBox, ListBoxItem } from "react-aria-components";
import { type KnownStation, stationLabel } from "#shared/service/catalogue.ts";
import { shortName, type Variable } from "#shared/service/variables.ts";
import type { MapStage, Seen } from "../../map/stage.ts";
import { seriesLook } from "#shared/plot/palette.ts";
import { selectStations, useWorkspace } from "../../stores/workspace.ts";
import { Segments } from "../../ui/choices.tsx";
import { count, shortCount } from "../../ui/text.ts";
import { FetchMissing } from "./FetchMissing.tsx";
import classes from "./map.module.css";
import { UNPLACED_WORDS, unplacedNote, unplacedOf } from "./places.ts";
import { absenceOf, type Missing } from "./useMissing.ts";
import type { Snapshot } from "./useSnapshot.ts";
import { absenceWords, ageText, valueText } from "./words.ts";

interface SidePanelProps {
  readonly stations: readonly KnownStation[];
  readonly seen: Seen | null;
  readonly snapshot: Snapshot;
  readonly missing: Missing;
  readonly variable: Variable;
  readonly stage: MapStage | null;
}

type Tab = "sight" | "missing" | "unplaced";

/** As many as anyone reads; more are for the list at the left, which can search. */
const MOST = 120;

/** The same stations as on the map, to be read and chosen one by one: those in sight, without a value, without a place. */
export function SidePanel({ stations, seen, snapshot, missing, variable, stage }: SidePanelProps) {
  const reasons = useMemo(() => unplacedOf(stations), [stations]);
  const unplaced = useMemo(() => [...reasons.keys()], [reasons]);
  const inSight = useMemo(() => (seen?.inSight ?? []).flatMap((i) => stations[i] ?? []), [seen, stations]);
  const [tab, setTab] = useState<Tab>(
    inSight.length === 0 && unplaced.length === stations.length ? "unplaced" : "sight",
  );
  const lists: Readonly<Record<Tab, readonly KnownStation[]>> = {
    sight: inSight,
    missing: missing.stations,
    unplaced,
  };
  // In order of names once, not with every move of the map.
  const ranks = useMemo(() => ranksOf(stations), [stations]);
  const list = lists[tab];
  const shown = useMemo(() => list.toSorted((a, b) => (ranks.get(a.id) ?? 0) - (ranks.get(b.id) ?? 0)), [list, ranks]);
  const { frame, told } = snapshot;
  const detailOf = (s: KnownStation): string => {
    if (tab === "missing") {
      const absence = absenceOf(missing, s);
      return absence ? absenceWords(absence) : "";
    }
    if (tab === "unplaced") return UNPLACED_WORDS[reasons.get(s) ?? "none"];
    const reading = frame?.read(s.id, variable);
    if (!reading || !frame) return "—";
    const value = valueText(variable, reading.value);
    const age = reading.timeMs === frame.momentMs ? "" : `, ${ageText(reading.timeMs, frame.momentMs)}`;
    return `${value}${age}${told && reading.from === "service" ? " ○" : ""}`;
  };
  return (
    <section aria-label="Stations of the map" className={classes["side"]}>
      <Segments
        label="Which stations"
        value={tab}
        onChange={setTab}
        choices={[
          { value: "sight", label: `In sight ${shortCount(inSight.length)}` },
          { value: "missing", label: `No value ${shortCount(missing.stations.length)}` },
          { value: "unplaced", label: `No place ${shortCount(unplaced.length)}` },
        ]}
      />
      <p className={classes["sideNote"]}>
        {tab === "unplaced" ? unplacedNote(reasons.values()) : noteOf(tab, shown.length, variable)}
        {told && tab === "sight" ? " ○ from the service, not saved." : ""}
      </p>
      {tab === "missing" ? <FetchMissing snapshot={snapshot} missing={missing} variable={variable} /> : null}
      <StationList stations={shown.slice(0, MOST)} detailOf={detailOf} stage={stage} all={stations} />
      {shown.length > MOST ? (
        <p className={classes["sideNote"]}>
          And {count(shown.length - MOST)} more. {tab === "sight" ? "Zoom in to list fewer." : ""}
        </p>
      ) : null}
    </section>
  );
}

const NAMES = new Intl.Collator("en-GB", { numeric: true });

function ranksOf(stations: readonly KnownStation[]): ReadonlyMap<string, number> {
  const sorted = stations.toSorted((a, b) => NAMES.compare(a.displayName, b.displayName));
  return new Map(sorted.map((s, rank) => [s.id, rank]));
}

function noteOf(tab: Exclude<Tab, "unplaced">, n: number, variable: Variable): string {
  if (tab === "missing")
    return n === 0
      ? `Every station has a value of ${shortName(variable)}.`
      : `Without ${shortName(variable)} at this moment, and why.`;
  return n === 0 ? "No station is visible. Press 0 to show all." : `${shortName(variable)} at this moment.`;
}

interface StationListProps {
  readonly stations: readonly KnownStation[];
  readonly all: readonly KnownStation[];
  readonly stage: MapStage | null;
  readonly detailOf: (station: KnownStation) => string;
}

function StationList({ stations, all, stage, detailOf }: StationListProps) {
  const stationIds = useWorkspace((s) => s.stationIds);
  const slots = useWorkspace((s) => s.slots);
  const places = useMemo(() => new Map(all.map((s, i) => [s.id, i])), [all]);
  return (
    <ListBox
      aria-label="Stations"
      className={classes["list"]!}
      selectionMode="multiple"
      selectedKeys={stationIds}
      onSelectionChange={(keys) => {
        if (keys === "all") return;
        // What is not listed here stays chosen.
        const listed = new Set(stations.map((s) => s.id));
        const kept = stationIds.filter((id) => !listed.has(id) || keys.has(id));
        const before = new Set(kept);
        selectStations([...kept, ...[...keys].map(String).filter((id) => listed.has(id) && !before.has(id))]);
      }}
    >
      {stations.map((s) => {
        const slot = slots[s.id];
        const detail = detailOf(s);
        return (
          <ListBoxItem
            key={s.id}
            id={s.id}
            textValue={stationLabel(s)}
            className={classes["item"]!}
            onHoverStart={() => stage?.setHovered(places.get(s.id) ?? null)}
            onHoverEnd={() => stage?.setHovered(null)}
          >
            <i style={slot === undefined ? undefined : { background: seriesLook(slot).colour }} />
            <span className={classes["name"]}>{stationLabel(s)}</span>
            <span className={classes["detail"]} title={detail}>
              {detail}
            </span>
          </ListBoxItem>
        );
      })}
    </ListBox>
  );
}
