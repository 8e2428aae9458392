import { type KeyboardEvent, type RefObject, useState } from "react";
import { type KnownStation, stationLabel } from "#shared/service/catalogue.ts";
import { fitted } from "../../map/camera.ts";
import type { Hit } from "../../map/picking.ts";
import type { MapStage, Seen } from "../../map/stage.ts";
import { scaleBar } from "../../map/scaleBar.ts";
import { showToast } from "../../stores/toasts.ts";
import { contextMenu } from "../../ui/contextMenuKeys.ts";
import { count } from "../../ui/text.ts";
import { openStationMenu } from "../catalogue/stationMenu.ts";
import type { Frame } from "./frames.ts";
import { HoverCard } from "./HoverCard.tsx";
import classes from "./map.module.css";
import { togglePlaying } from "./mapState.ts";
import { choose, howOf } from "./select.ts";
import { type Pressed, useGestures } from "./useGestures.ts";
import { openMapMenu } from "./mapMenu.ts";
import { absenceOf, type Missing } from "./useMissing.ts";
import { FIT_MARGIN_PX } from "./useStage.ts";
import { positionOf } from "./places.ts";

interface MapCanvasProps {
  readonly boxRef: RefObject<HTMLDivElement | null>;
  readonly canvasRef: RefObject<HTMLCanvasElement | null>;
  readonly stage: MapStage | null;
  readonly seen: Seen | null;
  readonly stations: readonly KnownStation[];
  readonly frame: Frame | null;
  readonly missing: Missing;
  readonly isLasso: boolean;
  readonly onLassoEnd: () => void;
}

const PAN_PX = 80;
const ZOOM = 1.5;
const SCALE_PX = 120;
/** Zooming in so little does not take a crowd apart. */
const WORTHWHILE = 1.2;

/** The map itself, for mouse and keyboard. */
export function MapCanvas(props: MapCanvasProps) {
  const { boxRef, canvasRef, stage, seen, stations, frame, missing, isLasso, onLassoEnd } = props;
  const [isMarked, setMarked] = useState(false);

  const idsOf = (indices: readonly number[]): string[] => indices.flatMap((i) => stations[i]?.id ?? []);
  const open = (members: readonly number[], keys: Pressed): void => {
    if (!stage) return;
    const positions = members.flatMap((i) => (stations[i] ? (positionOf(stations[i]) ?? []) : []));
    const camera = fitted(positions, stage.size(), FIT_MARGIN_PX);
    const isOpening = howOf(keys) === "only" && camera.scale > WORTHWHILE * stage.camera().scale;
    if (isOpening) stage.look(camera);
    else choose(idsOf(members), howOf(keys));
  };
  const { hovered, isDragging } = useGestures(boxRef, stage, isLasso, {
    onPress(hit, keys) {
      if (hit?.kind === "station") choose(idsOf([hit.index]), howOf(keys));
      else if (hit?.kind === "crowd") open(hit.members, keys);
    },
    onAround(indices, keys) {
      // Around nothing is a slip of the hand, and no reason to lose what is chosen.
      if (indices.length === 0) return showToast("No station inside.");
      // Shift is what draws a box: only Ctrl says that it adds.
      choose(idsOf(indices), keys.ctrlKey || keys.metaKey ? "add" : "only");
      onLassoEnd();
    },
  });

  const menu = contextMenu(
    (target, at) => {
      const box = boxRef.current?.getBoundingClientRect();
      if (!stage || !box || target?.closest("button")) return false;
      const hit = target ? stage.hitAt(at.x - box.left, at.y - box.top) : middleHit(stage);
      const station = hit?.kind === "station" ? stations[hit.index] : undefined;
      if (station) openStationMenu(station.id, at);
      else openMapMenu(stage, at, hit?.kind === "crowd" ? hit.members.flatMap((i) => stations[i] ?? []) : []);
      return true;
    },
    // By keyboard it belongs to the station in the middle, and stands beside its name.
    (host) => host.querySelector("[role=status]"),
  );
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (!stage || event.altKey || event.target !== event.currentTarget || menu.onMenuKey(event)) return;
    const action = keyAction(event, stage, idsOf);
    if (!action) return;
    event.preventDefault();
    setMarked(true);
    stage.setMark(true);
    action();
  };
  const bar = seen ? scaleBar(seen.camera.scale, SCALE_PX) : null;
  const station = hovered === null ? undefined : stations[hovered];
  return (
    <div
      ref={boxRef}
      // It answers to keys of its own.
      tabIndex={0}
      role="application"
      aria-label="Map of stations"
      aria-describedby="map-keys"
      className={classes["box"]}
      data-lasso={isLasso || undefined}
      data-dragging={isDragging || undefined}
      data-pointing={hovered !== null || undefined}
      onContextMenu={menu.onContextMenu}
      onKeyDown={onKeyDown}
      onFocus={(event) => {
        const isSeen = event.target === event.currentTarget && event.target.matches(":focus-visible");
        setMarked(isSeen);
        stage?.setMark(isSeen);
      }}
      onBlur={() => {
        setMarked(false);
        stage?.setMark(false);
      }}
    >
      <canvas ref={canvasRef} className={classes["canvas"]} aria-hidden />
      <p id="map-keys" className="visually-hidden">
        Arrows move the map, plus and minus zoom, 0 shows all stations. Enter chooses the station nearest to the middle,
        with Ctrl it toggles, with Shift it adds. Space plays the snapshot. The list beside the map holds the same
        stations.
      </p>
      {stage && station && hovered !== null ? (
        <HoverCard
          station={station}
          frame={frame}
          absence={absenceOf(missing, station)}
          place={stage.placeOf(hovered)}
          size={stage.size()}
        />
      ) : null}
      {isMarked && stage ? <MiddleStation stage={stage} stations={stations} seen={seen} /> : null}
      <div className={classes["foot"]}>
        {bar ? (
          <span className={classes["scale"]}>
            <i style={{ width: bar.widthPx }} />
            {bar.text}
          </span>
        ) : null}
        <span>Natural Earth</span>
      </div>
    </div>
  );
}

function middleHit(stage: MapStage): Hit | null {
  const index = stage.middleStation();
  return index === null ? null : { kind: "station", index };
}

/** Read aloud and shown with the mark: what Enter would pick. */
function MiddleStation(props: {
  readonly stage: MapStage;
  readonly stations: readonly KnownStation[];
  readonly seen: Seen | null;
}) {
  const index = props.stage.middleStation();
  const station = index === null ? undefined : props.stations[index];
  return (
    <p role="status" className={classes["middle"]}>
      {station ? `Nearest to the middle: ${stationLabel(station)}` : "No station is in sight"}
      {props.seen ? ` · ${count(props.seen.inSight.length)} in sight` : ""}
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
    const index = stage.middleStation();
    const how = howOf(event);
    return index === null ? null : () => choose(idsOf([index]), how);
  }
  if (event.ctrlKey || event.metaKey) return null;
  const far = event.shiftKey ? 3 : 1;
  switch (key) {
    case "ArrowLeft":
      return () => stage.panBy(PAN_PX * far, 0);
    case "ArrowRight":
      return () => stage.panBy(-PAN_PX * far, 0);
    case "ArrowUp":
      return () => stage.panBy(0, PAN_PX * far);
    case "ArrowDown":
      return () => stage.panBy(0, -PAN_PX * far);
    case "+":
    case "=":
      return () => stage.zoomBy(ZOOM);
    case "-":
      return () => stage.zoomBy(1 / ZOOM);
    case "0":
      return () => stage.look(stage.whole(FIT_MARGIN_PX));
    case " ":
      return togglePlaying;
    default:
      return null;
  }
}
