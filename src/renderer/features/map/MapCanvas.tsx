import { type KeyboardEvent, type RefObject, useState } from "react";
import { type KnownStation, stationLabel } from "#shared/service/catalogue.ts";
import type { Absence } from "#shared/series/gap.ts";
import { shortName, uncertaintyOf, VALUE_VARIABLES, type Variable } from "#shared/service/variables.ts";
import { fitCamera, scaleBar, type Size } from "../../map/camera.ts";
import type { Hit } from "../../map/picking.ts";
import type { MapStage, VisibleMap } from "../../map/stage.ts";
import { showToast } from "../../stores/toasts.ts";
import { contextMenuHandlers } from "../../ui/ContextMenu.tsx";
import { ago, count } from "../../ui/text.ts";
import { openStationMenu } from "../catalogue/stationMenu.ts";
import type { Frame } from "./frames.ts";
import classes from "./map.module.css";
import { togglePlaying } from "./mapState.ts";
import { openMapMenu, selectModeOf, selectOnMap } from "./mapMenu.ts";
import { type ModifierKeys, useGestures } from "./useGestures.ts";
import { absenceOf, type MissingValues } from "./useMissing.ts";
import { FIT_MARGIN_PX, ZOOM_STEP } from "./useStage.ts";
import { positionOf } from "./places.ts";
import { useCatalogue } from "../../stores/catalogue.ts";
import { useNowMs } from "../../stores/clock.ts";
import { absenceWords, timeDifference, valueText } from "./words.ts";

interface MapCanvasProps {
  readonly boxRef: RefObject<HTMLDivElement | null>;
  readonly canvasRef: RefObject<HTMLCanvasElement | null>;
  readonly stage: MapStage | null;
  readonly visible: VisibleMap | null;
  readonly stations: readonly KnownStation[];
  readonly frame: Frame | null;
  readonly missing: MissingValues;
  readonly isLasso: boolean;
  readonly onLassoEnd: () => void;
}

const PAN_PX = 80;
const SCALE_PX = 120;
/** Smallest zoom factor that may split a cluster. */
const MIN_SPLIT_ZOOM = 1.2;

/** The map, operated by pointer and keyboard. */
export function MapCanvas(props: MapCanvasProps) {
  const { boxRef, canvasRef, stage, visible, stations, frame, missing, isLasso, onLassoEnd } = props;
  const [hasCrosshair, setCrosshair] = useState(false);

  const idsOf = (indices: readonly number[]): string[] => indices.flatMap((i) => stations[i]?.id ?? []);
  const openCluster = (members: readonly number[], keys: ModifierKeys): void => {
    if (!stage) return;
    const positions = members.flatMap((i) => (stations[i] ? (positionOf(stations[i]) ?? []) : []));
    const camera = fitCamera(positions, stage.size(), FIT_MARGIN_PX);
    const isSplit = selectModeOf(keys) === "only" && camera.scale > MIN_SPLIT_ZOOM * stage.camera().scale;
    if (isSplit) stage.lookAt(camera);
    else selectOnMap(idsOf(members), selectModeOf(keys));
  };
  const { hovered, isDragging } = useGestures(boxRef, stage, isLasso, {
    onPress(hit, keys) {
      if (hit?.kind === "station") selectOnMap(idsOf([hit.index]), selectModeOf(keys));
      else if (hit?.kind === "cluster") openCluster(hit.members, keys);
    },
    onArea(indices, keys) {
      // An empty area is probably a mistake and does not clear the selection.
      if (indices.length === 0) return showToast("No station inside.");
      // Shift draws the box, so only Ctrl adds to the selection.
      selectOnMap(idsOf(indices), keys.ctrlKey || keys.metaKey ? "add" : "only");
      onLassoEnd();
    },
  });

  const menu = contextMenuHandlers(
    (target, at) => {
      const box = boxRef.current?.getBoundingClientRect();
      if (!stage || !box || target?.closest("button")) return false;
      const hit = target ? stage.hitAt(at.x - box.left, at.y - box.top) : centralHit(stage);
      const station = hit?.kind === "station" ? stations[hit.index] : undefined;
      if (station) openStationMenu(station.id, at);
      else openMapMenu(stage, at, hit?.kind === "cluster" ? hit.members.flatMap((i) => stations[i] ?? []) : []);
      return true;
    },
    // The keyboard opens the menu of the central station, beside its name.
    (host) => host.querySelector("[role=status]"),
  );
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (!stage || event.altKey || event.target !== event.currentTarget || menu.onMenuKey(event)) return;
    const action = keyAction(event, stage, idsOf);
    if (!action) return;
    event.preventDefault();
    setCrosshair(true);
    stage.setCrosshair(true);
    action();
  };
  const bar = visible ? scaleBar(visible.camera.scale, SCALE_PX) : null;
  const station = hovered === null ? undefined : stations[hovered];
  return (
    <div
      ref={boxRef}
      // Focusable for its keyboard shortcuts.
      tabIndex={0}
      role="application"
      data-main
      aria-label="Map of stations"
      aria-describedby="map-keys"
      className={classes["box"]}
      data-lasso={isLasso || undefined}
      data-dragging={isDragging || undefined}
      data-pointing={hovered !== null || undefined}
      onContextMenu={menu.onContextMenu}
      onKeyDown={onKeyDown}
      onFocus={(event) => {
        const isShown = event.target === event.currentTarget && event.target.matches(":focus-visible");
        setCrosshair(isShown);
        stage?.setCrosshair(isShown);
      }}
      onBlur={() => {
        setCrosshair(false);
        stage?.setCrosshair(false);
      }}
    >
      <canvas ref={canvasRef} className="block w-full h-full" aria-hidden />
      <p id="map-keys" className="visually-hidden">
        Arrows move the map, plus and minus zoom, 0 shows all stations. Enter selects the station nearest to the centre,
        with Ctrl it toggles, with Shift it adds. Space plays the snapshot. The list beside the map contains the same
        stations.
      </p>
      {stage && station && hovered !== null ? (
        <HoverCard
          station={station}
          frame={frame}
          absence={absenceOf(missing, station)}
          position={stage.screenPosition(hovered)}
          size={stage.size()}
        />
      ) : null}
      {hasCrosshair && stage ? <CentralStation stage={stage} stations={stations} visible={visible} /> : null}
      <div className={classes["foot"]}>
        {bar ? (
          <span className={`${classes["scale"]} inline-row gap-1.5`}>
            <i style={{ width: bar.widthPx }} />
            {bar.text}
          </span>
        ) : null}
        <span>Natural Earth</span>
      </div>
    </div>
  );
}

function centralHit(stage: MapStage): Hit | null {
  const index = stage.centralStation();
  return index === null ? null : { kind: "station", index };
}

/** Announces and shows the station that Enter would select. */
function CentralStation(props: {
  readonly stage: MapStage;
  readonly stations: readonly KnownStation[];
  readonly visible: VisibleMap | null;
}) {
  const index = props.stage.centralStation();
  const station = index === null ? undefined : props.stations[index];
  return (
    <p role="status" className={classes["middle"]}>
      {station ? `Nearest to the centre: ${stationLabel(station)}` : "No station is visible"}
      {props.visible ? ` · ${count(props.visible.stations.length)} visible` : ""}
    </p>
  );
}

function keyAction(
  event: KeyboardEvent,
  stage: MapStage,
  idsOf: (indices: readonly number[]) => string[],
): (() => void) | null {
  const { key } = event;
  if (key === "Enter") {
    const index = stage.centralStation();
    const mode = selectModeOf(event);
    return index === null ? null : () => selectOnMap(idsOf([index]), mode);
  }
  if (event.ctrlKey || event.metaKey) return null;
  const distancePx = PAN_PX * (event.shiftKey ? 3 : 1);
  switch (key) {
    case "ArrowLeft":
      return () => stage.panBy(distancePx, 0);
    case "ArrowRight":
      return () => stage.panBy(-distancePx, 0);
    case "ArrowUp":
      return () => stage.panBy(0, distancePx);
    case "ArrowDown":
      return () => stage.panBy(0, -distancePx);
    case "+":
    case "=":
      return () => stage.zoomBy(ZOOM_STEP);
    case "-":
      return () => stage.zoomBy(1 / ZOOM_STEP);
    case "0":
      return () => stage.lookAt(stage.fitAll(FIT_MARGIN_PX));
    case " ":
      return togglePlaying;
    default:
      return null;
  }
}

interface HoverCardProps {
  readonly station: KnownStation;
  readonly frame: Frame | null;
  /** Why the station has no value; undefined if it has one, or until the cause is known. */
  readonly absence: Absence | undefined;
  readonly position: readonly [number, number];
  readonly size: Size;
}

const DISTANCE_PX = 14;

/** The station under the pointer, with its values at the moment of the snapshot. */
function HoverCard({ station, frame, absence, position: [x, y], size }: HoverCardProps) {
  const network = useCatalogue((s) => s.catalogue.networks.find((n) => n.id === station.networkId));
  const nowMs = useNowMs();
  const { dataLastUpdatedMs: lastMs } = station;
  // On the side with more space.
  const style = {
    ...(x > size.widthPx / 2 ? { right: size.widthPx - x + DISTANCE_PX } : { left: x + DISTANCE_PX }),
    ...(y > size.heightPx / 2 ? { bottom: size.heightPx - y + DISTANCE_PX } : { top: y + DISTANCE_PX }),
  };
  return (
    <div className={classes["card"]} style={style} aria-hidden>
      <b>{stationLabel(station)}</b>
      <span>{[network?.name || station.networkCode, locationText(station)].filter(Boolean).join(" · ")}</span>
      {frame ? <Values station={station} frame={frame} absence={absence} /> : null}
      <span>{lastMs === null ? "No data received yet" : `Newest data ${ago(lastMs, nowMs)}`}</span>
    </div>
  );
}

interface ValuesProps extends Pick<HoverCardProps, "station" | "absence"> {
  readonly frame: Frame;
}

function Values({ station, frame, absence }: ValuesProps) {
  const found = VALUE_VARIABLES.flatMap((variable) => {
    const reading = frame.read(station.id, variable);
    return reading ? [{ variable, reading }] : [];
  });
  if (found.length === 0) return <span>No value at this moment{absence ? `, ${absenceWords(absence)}` : ""}</span>;
  const isFromService = found.some(({ reading }) => reading.from === "service");
  return (
    <>
      <table>
        <tbody>
          {found.map(({ variable, reading }) => (
            <tr key={variable}>
              <th>{shortName(variable)}</th>
              <td>{valueText(variable, reading.value)}</td>
              <td>{uncertaintyText(frame, station.id, variable)}</td>
              <td>{timeDifference(reading.timeMs, frame.momentMs)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {isFromService ? <span>From the service, not saved</span> : null}
    </>
  );
}

function uncertaintyText(frame: Frame, stationId: string, variable: Variable): string {
  const name = uncertaintyOf(variable);
  const reading = name === null ? null : frame.read(stationId, name);
  return name !== null && reading ? `± ${valueText(name, reading.value)}` : "";
}

function locationText({ locationAlias, countryCode }: KnownStation): string {
  return [locationAlias, countryCode].filter(Boolean).join(", ");
}
