import { NO_VALUE } from "#shared/text.ts";
import { useMemo, useState } from "react";
import { Download } from "lucide-react";
import { type KnownStation, stationLabel } from "#shared/service/catalogue.ts";
import { shortName, type Variable, withUncertainty } from "#shared/service/variables.ts";
import type { JobSpec } from "#shared/job/job.ts";
import { useIsOffline } from "../../stores/connection.ts";
import type { MapStage, VisibleMap } from "../../map/stage.ts";
import { selectStations, useWorkspace } from "../../stores/workspace.ts";
import { Segments } from "../../ui/choices.tsx";
import type { Column } from "../../ui/grid/columns.ts";
import { Grid } from "../../ui/grid/Grid.tsx";
import { type ListSelection, select } from "../../ui/grid/select.ts";
import { MiddleCut } from "../../ui/MiddleCut.tsx";
import { duration, shortCount } from "../../ui/text.ts";
import { LineSwatch } from "../series/Legend.tsx";
import { openStationMenu } from "../catalogue/stationMenu.ts";
import classes from "./map.module.css";
import { REDUCED, valuesOf } from "./scale.ts";
import { UNPLACED_WORDS, unplacedNote, unplacedOf } from "./places.ts";
import { absenceOf, fetchableIds, type MissingValues } from "./useMissing.ts";
import type { Snapshot } from "./useSnapshot.ts";
import { absenceWords, anomalyText, timeDifference, valueText } from "./labels.ts";
import { useWork } from "../../stores/work.ts";
import { Button } from "../../ui/Button.tsx";
import { startFetch } from "../fetch/startFetch.ts";
import { useCost } from "../fetch/useEstimate.ts";
import { fetchWords } from "../fetch/labels.ts";
import { useMapState } from "./mapState.ts";

interface SidePanelProps {
  readonly stations: readonly KnownStation[];
  readonly visible: VisibleMap | null;
  readonly snapshot: Snapshot;
  readonly missing: MissingValues;
  readonly variable: Variable;
  /** Whether the map shows the height-reduced anomaly of ZTD. */
  readonly hasAnomaly: boolean;
  readonly stage: MapStage | null;
}

type Tab = "visible" | "missing" | "unplaced";

/** Lists of the visible stations, those without a value and those without a position, for reading and selecting. */
export function SidePanel({ stations, visible, snapshot, missing, variable, hasAnomaly, stage }: SidePanelProps) {
  const reasons = useMemo(() => unplacedOf(stations), [stations]);
  const unplaced = useMemo(() => [...reasons.keys()], [reasons]);
  const visibleStations = useMemo(
    () => (visible?.stations ?? []).flatMap((i) => stations[i] ?? []),
    [visible, stations],
  );
  const [tab, setTab] = useState<Tab>(
    visibleStations.length === 0 && unplaced.length === stations.length ? "unplaced" : "visible",
  );
  const lists: Readonly<Record<Tab, readonly KnownStation[]>> = {
    visible: visibleStations,
    missing: missing.stations,
    unplaced,
  };
  // Sorted by name once, not with every movement of the map.
  const ranks = useMemo(() => ranksOf(stations), [stations]);
  const list = lists[tab];
  const shown = useMemo(() => list.toSorted((a, b) => (ranks.get(a.id) ?? 0) - (ranks.get(b.id) ?? 0)), [list, ranks]);
  const { frame, serviceValues } = snapshot;
  const anomalies = useMemo(() => {
    const values = hasAnomaly ? valuesOf(REDUCED, stations, frame) : [];
    return new Map(stations.map(({ id }, i) => [id, values[i] ?? Number.NaN]));
  }, [hasAnomaly, stations, frame]);
  const detailOf = (s: KnownStation): string => {
    if (tab === "missing") {
      const absence = absenceOf(missing, s);
      return absence ? absenceWords(absence) : "";
    }
    if (tab === "unplaced") return UNPLACED_WORDS[reasons.get(s) ?? "none"];
    const reading = frame?.read(s.id, variable);
    if (!reading || !frame) return NO_VALUE;
    const value = `${valueText(variable, reading.value)}${anomalyText(anomalies.get(s.id))}`;
    const age = reading.timeMs === frame.momentMs ? "" : `, ${timeDifference(reading.timeMs, frame.momentMs)}`;
    // First, as a text that is too long loses its end.
    return `${serviceValues && reading.from === "service" ? "○ " : ""}${value}${age}`;
  };
  return (
    <section aria-label="Stations of the map" className={classes["side"]}>
      <Segments
        label="Which stations"
        value={tab}
        onChange={setTab}
        choices={[
          { value: "visible", label: `Visible ${shortCount(visibleStations.length)}` },
          { value: "missing", label: `No value ${shortCount(missing.stations.length)}` },
          { value: "unplaced", label: `No position ${shortCount(unplaced.length)}` },
        ]}
      />
      <p className="caption px-3 leading-4">
        {tab === "unplaced" ? unplacedNote(reasons.values()) : noteOf(tab, shown.length, variable, hasAnomaly)}
        {serviceValues && tab === "visible" ? " ○ from the service, not saved." : ""}
      </p>
      {tab === "missing" ? <FetchMissing snapshot={snapshot} missing={missing} variable={variable} /> : null}
      {shown.length === 0 ? null : (
        <StationList
          stations={shown}
          all={stations}
          stage={stage}
          title={tab === "visible" ? shortName(variable) : "Why"}
          detailOf={detailOf}
        />
      )}
    </section>
  );
}

const NAMES = new Intl.Collator("en-GB", { numeric: true });

function ranksOf(stations: readonly KnownStation[]): ReadonlyMap<string, number> {
  const sorted = stations.toSorted((a, b) => NAMES.compare(a.displayName, b.displayName));
  return new Map(sorted.map((s, rank) => [s.id, rank]));
}

function noteOf(tab: Exclude<Tab, "unplaced">, stationCount: number, variable: Variable, hasAnomaly: boolean): string {
  if (tab === "missing")
    return stationCount === 0
      ? `Every station has a value of ${shortName(variable)}.`
      : `Without ${shortName(variable)} at this moment, and why.`;
  if (stationCount === 0) return "No station is visible. Press 0 to show all.";
  return hasAnomaly
    ? "ZTD at this moment, with its height-reduced anomaly in brackets, mm."
    : `${shortName(variable)} at this moment.`;
}

interface StationListProps {
  readonly stations: readonly KnownStation[];
  readonly all: readonly KnownStation[];
  readonly stage: MapStage | null;
  /** Title of the details. */
  readonly title: string;
  readonly detailOf: (station: KnownStation) => string;
}

function StationList({ stations, all, stage, title, detailOf }: StationListProps) {
  const selectedIds = useWorkspace((s) => s.stationIds);
  const [place, setPlace] = useState<Pick<ListSelection, "anchor" | "focused">>({ anchor: null, focused: null });
  const ids = useMemo(() => stations.map(({ id }) => id), [stations]);
  const indexOf = useMemo(() => new Map(all.map((s, i) => [s.id, i])), [all]);
  const selected = useMemo(() => new Set(selectedIds), [selectedIds]);
  return (
    <Grid
      label="Stations"
      columns={[NAME, { id: "detail", title, width: 150, share: 1, align: "end", text: detailOf }]}
      rows={{ count: stations.length, at: (i) => stations[i] ?? null }}
      focus={place.focused === null ? -1 : ids.indexOf(place.focused)}
      isSelected={(_, index) => selected.has(ids[index] ?? "")}
      idOf={({ id }) => id}
      isMulti
      press="toggle"
      onAct={(action) => {
        const next = select({ selectedIds, ...place }, action, ids);
        setPlace(next);
        if (next.selectedIds !== selectedIds) selectStations(next.selectedIds);
      }}
      onMenu={(index, at) => openStationMenu(ids[index] ?? "", at)}
      onHover={(index) => stage?.setHovered(index === null ? null : (indexOf.get(ids[index] ?? "") ?? null))}
    />
  );
}

const NAME: Column<KnownStation> = {
  id: "name",
  title: "Station",
  width: 130,
  share: 1,
  text: stationLabel,
  renderCell: (station) => <Name station={station} />,
  hint: stationLabel,
};

/** The name, after the colour of a selected station. */
function Name({ station }: { readonly station: KnownStation }) {
  const slot = useWorkspace((s) => s.slots[station.id]);
  return (
    <span className="row gap-1.5 min-w-0">
      {slot === undefined ? null : <LineSwatch slot={slot} />}
      <MiddleCut text={stationLabel(station)} />
    </span>
  );
}

interface FetchMissingProps {
  readonly snapshot: Snapshot;
  readonly missing: MissingValues;
  readonly variable: Variable;
}

/** Downloads missing data around the moment for the stations that may have it; the cost is shown above the button. */
function FetchMissing({ snapshot, missing, variable }: FetchMissingProps) {
  const { query, momentMs, withinMs } = snapshot;
  const isLive = useMapState((s) => s.live !== null);
  const isOffline = useIsOffline();
  const spec: JobSpec = {
    stationIds: fetchableIds(missing),
    variables: withUncertainty(variable),
    range: { startMs: momentMs - withinMs, endMs: momentMs + withinMs + 1_000 },
    intervalSeconds: query.mode.resampled ? null : query.mode.intervalSeconds,
    raw: query.mode.raw,
  };
  const cost = useCost(query.connectionId, isLive ? { ...spec, stationIds: [] } : spec);
  const isRunning = useWork((s) =>
    s.jobs.some(
      (j) =>
        j.state === "running" &&
        j.connectionId === query.connectionId &&
        JSON.stringify(j.spec) === JSON.stringify(spec),
    ),
  );
  if (cost === null || spec.stationIds.length === 0) return null;
  return (
    <div className="stack items-start gap-1 px-3 py-1 text-small">
      <p id="map-fetch-cost">
        {isRunning ? "Fetching" : fetchWords(cost, isOffline)}, {duration(withinMs / 1_000)} before and after this
        moment
      </p>
      <Button
        isDisabled={isRunning}
        aria-describedby="map-fetch-cost"
        onPress={() => void startFetch(query.connectionId, spec)}
        icon={Download}
      >
        Fetch missing data
      </Button>
    </div>
  );
}
