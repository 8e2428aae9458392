import type { PlotTheme } from "#shared/plot/theme.ts";
import { pageTheme } from "../plot/theme.ts";
import { type Camera, fitted, type Position, type Size, wholeWorld } from "./camera.ts";
import { clustered, clusterLevel, type Clusters, type Crowd, crowdOf } from "./clusters.ts";
import { type Draft, drawDraft, drawMark } from "./drafts.ts";
import { drawBase, drawLabels, drawStations } from "./draw.ts";
import type { Painting } from "./painting.ts";
import { type Hit, hitAt, middleStation, type Scene, stationsWithin, wholeOf } from "./picking.ts";
import { onWorld, type Points, pointsInBox, projected } from "./points.ts";
import { cameraOf, isFarMoved, lookingAt, panned, resized, type View, viewOf, zoomed } from "./view.ts";
import { baseLines, type BaseLines, loadWorld, type World, worldKey } from "./world.ts";

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
  /** Names of the stations by their places, to be written beside them; null for none. */
  setLabels(names: readonly string[] | null): void;
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
  /** Paints what it shows in another theme and with the colours of it, on a context scaled to its size. */
  paint(ctx: CanvasRenderingContext2D, theme: PlotTheme, painting: Painting): void;
  close(): void;
}

const REST_MS = 140;
const NO_SIZE: Size = { widthPx: 1, heightPx: 1 };

export function createMapStage(canvas: HTMLCanvasElement, tell: (seen: Seen) => void): MapStage {
  let view: View = viewOf(wholeWorld(NO_SIZE), NO_SIZE);
  let ratio = 1;
  let theme: PlotTheme = pageTheme();
  let positions: readonly (Position | null)[] = [];
  let onGlobe: Points = onWorld([]);
  let painting: Painting = { groups: new Uint8Array(0), colours: ["transparent"], isScale: false };
  let chosen: ReadonlyMap<number, string> = new Map();
  let names: readonly string[] | null = null;
  let hovered: number | null = null;
  let draft: Draft | null = null;
  let hasMark = false;
  let world: World | null = null;
  let worldName = "";
  let lines: BaseLines | null = null;
  let points: Points = onGlobe;
  let clusters: Clusters = { crowds: [], singles: [] };
  let clustersKey = "";
  let crowds: readonly Crowd[] = [];
  let frame = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;

  function drawOn(ctx: CanvasRenderingContext2D, halo: number | null, look: PlotTheme, colours: Painting): void {
    const { shift, size } = view;
    if (lines) drawBase(ctx, lines, shift, size, look);
    const marks = { points, singles: clusters.singles, crowds, painting: colours, chosen, hovered: halo };
    drawStations(ctx, marks, shift, size, look);
    if (names) drawLabels(ctx, marks, names, shift, size, look);
  }

  function draw(): void {
    frame = 0;
    const ctx = canvas.getContext("2d");
    if (!ctx || isClosed) return;
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    drawOn(ctx, hovered, theme, painting);
    if (draft) drawDraft(ctx, draft, theme);
    if (hasMark) drawMark(ctx, view.size, theme);
  }

  function redraw(): void {
    if (frame === 0 && !isClosed) frame = requestAnimationFrame(draw);
  }

  function gather(): void {
    const { scale } = view.camera;
    const key = `${clusterLevel(scale)}`;
    if (key !== clustersKey) {
      clusters = clustered(onGlobe, scale, (i) => chosen.has(i));
      clustersKey = key;
    }
    crowds = clusters.crowds.map((members) => crowdOf(members, points));
  }

  /** Shows a view that was projected anew. */
  function show(next: View): void {
    clearTimeout(timer);
    timer = undefined;
    view = next;
    const { projection, camera, size } = view;
    lines = baseLines(world, projection, camera.scale);
    points = projected(positions, projection);
    gather();
    void fetchWorld();
    tell({ camera, inSight: pointsInBox(points, wholeOf(size)) });
    redraw();
  }

  const settle = (): void => show(viewOf(cameraOf(view), view.size));

  async function fetchWorld(): Promise<void> {
    const name = worldKey(view.camera.scale);
    if (name === worldName) return;
    const found = await loadWorld(view.camera.scale);
    if (isClosed || name !== worldKey(view.camera.scale) || name === worldName) return;
    world = found;
    worldName = name;
    lines = baseLines(world, view.projection, view.camera.scale);
    redraw();
  }

  function move(next: View): void {
    if (next === view) return;
    view = next;
    redraw();
    if (isFarMoved(view)) return settle();
    clearTimeout(timer);
    timer = setTimeout(settle, REST_MS);
  }

  function scene(): Scene {
    const { shift, size } = view;
    return { points, singles: clusters.singles, crowds, chosen: [...chosen.keys()], shift, size };
  }

  return {
    setStations(next) {
      positions = next;
      onGlobe = onWorld(positions);
      clustersKey = "";
      hovered = null;
      settle();
    },
    setPainting(next, nextChosen) {
      painting = next;
      if ([...nextChosen.keys()].join() !== [...chosen.keys()].join()) clustersKey = "";
      chosen = nextChosen;
      gather();
      redraw();
    },
    setLabels(next) {
      names = next;
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
      const { widthPx, heightPx } = view.size;
      if (next.widthPx === widthPx && next.heightPx === heightPx && nextRatio === ratio) return;
      ratio = nextRatio;
      canvas.width = Math.round(next.widthPx * ratio);
      canvas.height = Math.round(next.heightPx * ratio);
      show(resized(view, next));
      // At once: a canvas of a new size is empty.
      cancelAnimationFrame(frame);
      draw();
    },
    themeChanged() {
      theme = pageTheme();
      redraw();
    },
    look: (camera) => show(lookingAt(view, camera)),
    panBy: (dx, dy) => move(panned(view, dx, dy)),
    zoomBy(factor, atX = view.size.widthPx / 2, atY = view.size.heightPx / 2) {
      move(zoomed(view, factor, atX, atY));
    },
    whole(marginPx) {
      const placed = positions.filter((p) => p !== null);
      return fitted(placed, view.size, marginPx);
    },
    size: () => view.size,
    camera: () => cameraOf(view),
    hitAt: (x, y) => hitAt(scene(), x, y),
    middleStation: () => middleStation(scene()),
    within: (shape) => stationsWithin(scene(), shape),
    placeOf(index) {
      const { k, x, y } = view.shift;
      return [points.x[index]! * k + x, points.y[index]! * k + y];
    },
    paint: (ctx, look, colours) => drawOn(ctx, null, look, colours),
    close() {
      isClosed = true;
      clearTimeout(timer);
      cancelAnimationFrame(frame);
    },
  };
}
