import { pageTheme, type PlotTheme } from "../plot/theme.ts";
import {
  type Camera,
  clampScale,
  fitted,
  movedCamera,
  type Position,
  projectionOf,
  type Shift,
  type Size,
  UNMOVED,
  wholeWorld,
  zoomedAround,
} from "./camera.ts";
import { clustered, clusterLevel, type Clusters } from "./clusters.ts";
import { type Crowd, crowdOf, drawBase, drawStations, type StationMarks } from "./draw.ts";
import type { Painting } from "./painting.ts";
import { type Box, nearestPoint, onWorld, type Points, pointsInBox, pointsInLasso, projected } from "./points.ts";
import { baseLines, type BaseLines, loadWorld, type World, worldKey } from "./world.ts";

/** Something that is being drawn over the map with the mouse, in pixels of the screen. */
export type Draft =
  | { readonly kind: "box"; readonly box: Box }
  | { readonly kind: "lasso"; readonly line: readonly (readonly [number, number])[] };

export type Hit =
  | { readonly kind: "station"; readonly index: number }
  | { readonly kind: "crowd"; readonly members: readonly number[] };

/** What the map shows once it rests. */
export interface Seen {
  readonly camera: Camera;
  /** Stations in sight by their places, those in crowds included. */
  readonly inSight: readonly number[];
}

/** A map on a canvas: moved at once by a shift of what was drawn, projected anew when it rests. */
export interface MapStage {
  setStations(positions: readonly (Position | null)[]): void;
  setPainting(painting: Painting, chosen: ReadonlyMap<number, string>): void;
  setHovered(index: number | null): void;
  setDraft(draft: Draft | null): void;
  setMark(isShown: boolean): void;
  resize(size: Size, ratio: number): void;
  themeChanged(): void;
  look(camera: Camera): void;
  panBy(dx: number, dy: number): void;
  zoomBy(factor: number, atX?: number, atY?: number): void;
  /** Looks at all stations. */
  whole(marginPx: number): Camera;
  size(): Size;
  camera(): Camera;
  hitAt(x: number, y: number): Hit | null;
  /** The station nearest to the middle, however far within what is in sight. */
  middleStation(): number | null;
  within(draft: Draft): number[];
  /** Where a station is on the screen. */
  placeOf(index: number): readonly [number, number];
  paint(canvas: HTMLCanvasElement, ratio: number): void;
  close(): void;
}

const REST_MS = 140;
const HIT_PX = 9;

export function createMapStage(canvas: HTMLCanvasElement, tell: (seen: Seen) => void): MapStage {
  let size: Size = { widthPx: 1, heightPx: 1 };
  let ratio = 1;
  let theme: PlotTheme = pageTheme();
  let positions: readonly (Position | null)[] = [];
  let onGlobe: Points = onWorld([]);
  let painting: Painting = { groups: new Uint8Array(0), colours: ["transparent"], isScale: false };
  let chosen: ReadonlyMap<number, string> = new Map();
  let hovered: number | null = null;
  let draft: Draft | null = null;
  let hasMark = false;
  let world: World | null = null;
  let worldName = "";
  let camera: Camera = wholeWorld(size);
  let projection = projectionOf(camera, size);
  let shift: Shift = UNMOVED;
  let lines: BaseLines | null = null;
  let points: Points = onGlobe;
  let clusters: Clusters = { crowds: [], singles: [] };
  let clustersKey = "";
  let crowds: readonly Crowd[] = [];
  let frame = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;

  function marks(): StationMarks {
    return { points, singles: clusters.singles, crowds, painting, chosen, hovered };
  }

  function drawOn(ctx: CanvasRenderingContext2D): void {
    if (lines) drawBase(ctx, lines, shift, size, theme);
    drawStations(ctx, marks(), shift, size, theme);
  }

  function draw(): void {
    frame = 0;
    const ctx = canvas.getContext("2d");
    if (!ctx || isClosed) return;
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    drawOn(ctx);
    if (draft) drawDraft(ctx, draft, theme);
    if (hasMark) drawMark(ctx, size, theme);
  }

  function redraw(): void {
    if (frame === 0 && !isClosed) frame = requestAnimationFrame(draw);
  }

  function gather(): void {
    const key = `${clusterLevel(camera.scale)}`;
    if (key !== clustersKey) {
      clusters = clustered(onGlobe, camera.scale, (i) => chosen.has(i));
      clustersKey = key;
    }
    crowds = clusters.crowds.map((members) => crowdOf(members, points));
  }

  /** Projects anew for where the map looks now. */
  function settle(): void {
    clearTimeout(timer);
    timer = undefined;
    camera = movedCamera(camera, size, projection, shift);
    rebuild();
  }

  function rebuild(): void {
    // Where the whole world is in sight, its poles stay at the edges.
    if (camera.scale <= 1.02 * wholeWorld(size).scale) camera = { ...camera, latitudeDeg: 0 };
    projection = projectionOf(camera, size);
    shift = UNMOVED;
    lines = baseLines(world, projection, camera.scale);
    points = projected(positions, projection);
    gather();
    void fetchWorld();
    tellSeen();
    redraw();
  }

  async function fetchWorld(): Promise<void> {
    const name = worldKey(camera.scale);
    if (name === worldName) return;
    const found = await loadWorld(camera.scale);
    if (isClosed || name !== worldKey(camera.scale) || name === worldName) return;
    world = found;
    worldName = name;
    lines = baseLines(world, projection, camera.scale);
    redraw();
  }

  function tellSeen(): void {
    const all = { x0: 0, y0: 0, x1: size.widthPx, y1: size.heightPx };
    tell({ camera, inSight: pointsInBox(points, all) });
  }

  function moved(): void {
    redraw();
    // What is drawn reaches a map's width beyond the edges: further away there is nothing.
    const { k, x, y } = shift;
    const isFar =
      Math.abs(x - ((1 - k) * size.widthPx) / 2) > 0.8 * size.widthPx ||
      Math.abs(y - ((1 - k) * size.heightPx) / 2) > 0.8 * size.heightPx;
    if (isFar || k > 4 || k < 0.4) return settle();
    clearTimeout(timer);
    timer = setTimeout(settle, REST_MS);
  }

  const toDrawn = (x: number, y: number): [number, number] => [(x - shift.x) / shift.k, (y - shift.y) / shift.k];

  return {
    setStations(next) {
      positions = next;
      onGlobe = onWorld(positions);
      clustersKey = "";
      hovered = null;
      rebuild();
    },
    setPainting(next, nextChosen) {
      painting = next;
      if ([...nextChosen.keys()].join() !== [...chosen.keys()].join()) clustersKey = "";
      chosen = nextChosen;
      gather();
      redraw();
    },
    setHovered(index) {
      if (index === hovered) return;
      hovered = index;
      redraw();
    },
    setDraft(next) {
      draft = next;
      redraw();
    },
    setMark(isShown) {
      hasMark = isShown;
      redraw();
    },
    resize(next, nextRatio) {
      if (next.widthPx === size.widthPx && next.heightPx === size.heightPx && nextRatio === ratio) return;
      const wasWhole = camera.scale <= 1.02 * wholeWorld(size).scale;
      if (shift !== UNMOVED) camera = movedCamera(camera, size, projection, shift);
      size = next;
      ratio = nextRatio;
      canvas.width = Math.round(size.widthPx * ratio);
      canvas.height = Math.round(size.heightPx * ratio);
      camera = wasWhole
        ? { ...camera, scale: wholeWorld(size).scale }
        : { ...camera, scale: clampScale(camera.scale, size) };
      rebuild();
      // At once: a canvas of a new size is empty.
      cancelAnimationFrame(frame);
      draw();
    },
    themeChanged() {
      theme = pageTheme();
      redraw();
    },
    look(next) {
      camera = { ...next, scale: clampScale(next.scale, size) };
      shift = UNMOVED;
      rebuild();
    },
    panBy(dx, dy) {
      shift = { ...shift, x: shift.x + dx, y: shift.y + dy };
      moved();
    },
    zoomBy(factor, atX = size.widthPx / 2, atY = size.heightPx / 2) {
      const wanted = clampScale(camera.scale * shift.k * factor, size) / (camera.scale * shift.k);
      if (Math.abs(wanted - 1) < 1e-6) return;
      shift = zoomedAround(shift, wanted, atX, atY);
      moved();
    },
    whole: (marginPx) =>
      fitted(
        positions.filter((p) => p !== null),
        size,
        marginPx,
      ),
    size: () => size,
    camera: () => (shift === UNMOVED ? camera : movedCamera(camera, size, projection, shift)),
    hitAt(x, y) {
      const [atX, atY] = toDrawn(x, y);
      const near = HIT_PX / shift.k;
      const top = nearestPoint(points, [...chosen.keys()], atX, atY, near);
      if (top >= 0) return { kind: "station", index: top };
      const crowd = crowds.findLast((c) => Math.hypot(c.x - atX, c.y - atY) * shift.k <= c.radiusPx);
      if (crowd) return { kind: "crowd", members: crowd.members };
      const index = nearestPoint(points, clusters.singles, atX, atY, near);
      return index < 0 ? null : { kind: "station", index };
    },
    middleStation() {
      const inSight = pointsInBox(points, { x0: 0, y0: 0, x1: size.widthPx, y1: size.heightPx });
      const index = nearestPoint(points, inSight, ...toDrawn(size.widthPx / 2, size.heightPx / 2), Infinity);
      return index < 0 ? null : index;
    },
    within(shape) {
      if (shape.kind === "lasso")
        return pointsInLasso(
          points,
          shape.line.map(([x, y]) => toDrawn(x, y)),
        );
      const [x0, y0] = toDrawn(shape.box.x0, shape.box.y0);
      const [x1, y1] = toDrawn(shape.box.x1, shape.box.y1);
      return pointsInBox(points, { x0, y0, x1, y1 });
    },
    placeOf: (index) => [points.x[index]! * shift.k + shift.x, points.y[index]! * shift.k + shift.y],
    paint(target, targetRatio) {
      target.width = Math.round(size.widthPx * targetRatio);
      target.height = Math.round(size.heightPx * targetRatio);
      const ctx = target.getContext("2d");
      if (!ctx) return;
      ctx.scale(targetRatio, targetRatio);
      const kept = hovered;
      hovered = null;
      drawOn(ctx);
      hovered = kept;
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
      cancelAnimationFrame(frame);
    },
  };
}

function drawDraft(ctx: CanvasRenderingContext2D, draft: Draft, theme: PlotTheme): void {
  ctx.beginPath();
  if (draft.kind === "box") {
    const { x0, y0, x1, y1 } = draft.box;
    ctx.rect(Math.min(x0, x1), Math.min(y0, y1), Math.abs(x1 - x0), Math.abs(y1 - y0));
  } else {
    draft.line.forEach(([x, y], i) => (i === 0 ? ctx.moveTo(x, y) : ctx.lineTo(x, y)));
    ctx.closePath();
  }
  ctx.fillStyle = theme.colour("--accent");
  ctx.globalAlpha = 0.12;
  ctx.fill("evenodd");
  ctx.globalAlpha = 1;
  ctx.strokeStyle = theme.colour("--accent");
  ctx.lineWidth = 1.5;
  ctx.stroke();
}

/** A cross in the middle: what Enter picks is nearest to it. */
function drawMark(ctx: CanvasRenderingContext2D, { widthPx, heightPx }: Size, theme: PlotTheme): void {
  const [x, y] = [widthPx / 2, heightPx / 2];
  for (const [colour, width] of [
    [theme.colour("--surface"), 4],
    [theme.colour("--accent"), 2],
  ] as const) {
    ctx.beginPath();
    for (const [dx, dy] of [
      [1, 0],
      [-1, 0],
      [0, 1],
      [0, -1],
    ] as const) {
      ctx.moveTo(x + 4 * dx, y + 4 * dy);
      ctx.lineTo(x + 12 * dx, y + 12 * dy);
    }
    ctx.strokeStyle = colour;
    ctx.lineWidth = width;
    ctx.stroke();
  }
}
