import type { PlotTheme } from "#shared/plot/theme.ts";
import { pageTheme } from "../plot/theme.ts";
import { type Camera, fitCamera, type Position, type Size, worldCamera } from "./camera.ts";
import {
  type Cluster,
  type Clustering,
  clusterLevel,
  clusterPoints,
  createCluster,
  type Points,
  pointsInBox,
  projectOntoWorld,
  projectPoints,
} from "./points.ts";
import { drawBase, drawLabels, drawStations, toScreen } from "./draw.ts";
import type { Painting } from "./painting.ts";
import {
  boxOf,
  centralStation,
  drawCrosshair,
  drawSelectionArea,
  type Hit,
  hitAt,
  type Scene,
  type SelectionArea,
  stationsWithin,
} from "./picking.ts";
import { createView, currentCamera, isFarMoved, lookAt, panView, resizeView, type View, zoomView } from "./view.ts";
import { type BaseMap, loadWorld, projectBaseMap, type World, worldDetail } from "./world.ts";

/** What the map shows when it is at rest. */
export interface VisibleMap {
  readonly camera: Camera;
  /** Indices of the visible stations, including those in clusters. */
  readonly stations: readonly number[];
}

/** A map on a canvas. Movements shift the drawn image at once; it is projected again when the map comes to rest. */
export type MapStage = ReturnType<typeof createMapStage>;

const REST_MS = 140;
const NO_SIZE: Size = { widthPx: 1, heightPx: 1 };

/** @param onRest called whenever the map was projected again */
export function createMapStage(canvas: HTMLCanvasElement, onRest: (visible: VisibleMap) => void) {
  let view: View = createView(worldCamera(NO_SIZE), NO_SIZE);
  let ratio = 1;
  let theme: PlotTheme = pageTheme();
  let positions: readonly (Position | null)[] = [];
  let worldPoints: Points = projectOntoWorld([]);
  let painting: Painting = { groups: new Uint8Array(0), colours: ["transparent"], isScale: false };
  let selected: ReadonlyMap<number, string> = new Map();
  let names: readonly string[] | null = null;
  let hovered: number | null = null;
  let area: SelectionArea | null = null;
  let hasCrosshair = false;
  let world: World | null = null;
  let loadedDetail = "";
  let baseMap: BaseMap | null = null;
  let points: Points = worldPoints;
  let clustering: Clustering = { groups: [], singles: [] };
  let clusteringKey = "";
  let clusters: readonly Cluster[] = [];
  let frame = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;

  function drawOn(ctx: CanvasRenderingContext2D, halo: number | null, inTheme: PlotTheme, colours: Painting): void {
    const on = { ctx, theme: inTheme, shift: view.shift, size: view.size };
    if (baseMap) drawBase(on, baseMap);
    const { singles } = clustering;
    const symbols = { points, singles, clusters, painting: colours, selected, hovered: halo };
    drawStations(on, symbols);
    if (names) drawLabels(on, symbols, names);
  }

  function draw(): void {
    frame = 0;
    const ctx = canvas.getContext("2d");
    if (!ctx || isClosed) return;
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    drawOn(ctx, hovered, theme, painting);
    if (area) drawSelectionArea(ctx, area, theme);
    if (hasCrosshair) drawCrosshair(ctx, view.size, theme);
  }

  function redraw(): void {
    if (frame === 0 && !isClosed) frame = requestAnimationFrame(draw);
  }

  function updateClusters(): void {
    const { scale } = view.camera;
    const key = `${clusterLevel(scale)}`;
    if (key !== clusteringKey) {
      clustering = clusterPoints(worldPoints, scale, (i) => selected.has(i));
      clusteringKey = key;
    }
    clusters = clustering.groups.map((members) => createCluster(members, points));
  }

  /** Projects and shows a view. */
  function show(next: View): void {
    clearTimeout(timer);
    timer = undefined;
    view = next;
    const { projection, camera, size } = view;
    baseMap = projectBaseMap(world, projection, camera.scale);
    points = projectPoints(positions, projection);
    updateClusters();
    void fetchWorld();
    onRest({ camera, stations: pointsInBox(points, boxOf(size)) });
    redraw();
  }

  const settle = (): void => show(createView(currentCamera(view), view.size));

  async function fetchWorld(): Promise<void> {
    const detail = worldDetail(view.camera.scale);
    if (detail === loadedDetail) return;
    const loaded = await loadWorld(detail);
    if (isClosed || detail !== worldDetail(view.camera.scale) || detail === loadedDetail) return;
    world = loaded;
    loadedDetail = detail;
    baseMap = projectBaseMap(world, view.projection, view.camera.scale);
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
    return { points, singles: clustering.singles, clusters, selected: [...selected.keys()], shift, size };
  }

  return {
    setStations(next: readonly (Position | null)[]): void {
      positions = next;
      worldPoints = projectOntoWorld(positions);
      clusteringKey = "";
      hovered = null;
      settle();
    },
    setPainting(next: Painting, nextSelected: ReadonlyMap<number, string>): void {
      painting = next;
      if ([...nextSelected.keys()].join() !== [...selected.keys()].join()) clusteringKey = "";
      selected = nextSelected;
      updateClusters();
      redraw();
    },
    /** Names of the stations, by index, to draw beside them; null for none. */
    setLabels(next: readonly string[] | null): void {
      names = next;
      redraw();
    },
    setHovered(index: number | null): void {
      if (index === hovered) return;
      hovered = index;
      redraw();
    },
    setSelectionArea(next: SelectionArea | null): void {
      area = next;
      redraw();
    },
    setCrosshair(isShown: boolean): void {
      hasCrosshair = isShown;
      redraw();
    },
    resize(next: Size, nextRatio: number): void {
      const { widthPx, heightPx } = view.size;
      if (next.widthPx === widthPx && next.heightPx === heightPx && nextRatio === ratio) return;
      ratio = nextRatio;
      canvas.width = Math.round(next.widthPx * ratio);
      canvas.height = Math.round(next.heightPx * ratio);
      show(resizeView(view, next));
      // Draws at once, because resizing clears the canvas.
      cancelAnimationFrame(frame);
      draw();
    },
    themeChanged(): void {
      theme = pageTheme();
      redraw();
    },
    lookAt: (camera: Camera): void => show(lookAt(view, camera)),
    panBy: (dx: number, dy: number): void => move(panView(view, dx, dy)),
    zoomBy(factor: number, atX = view.size.widthPx / 2, atY = view.size.heightPx / 2): void {
      move(zoomView(view, factor, atX, atY));
    },
    /** Returns a camera that shows all stations. */
    fitAll: (marginPx: number): Camera =>
      fitCamera(
        positions.filter((position) => position !== null),
        view.size,
        marginPx,
      ),
    size: (): Size => view.size,
    camera: (): Camera => currentCamera(view),
    hitAt: (x: number, y: number): Hit | null => hitAt(scene(), x, y),
    /** Returns the visible station nearest to the centre of the map. */
    centralStation: (): number | null => centralStation(scene()),
    stationsWithin: (drawn: SelectionArea): number[] => stationsWithin(scene(), drawn),
    /** Returns the screen position of a station. */
    screenPosition: (index: number): readonly [number, number] => toScreen(points, index, view.shift),
    /** Paints the map in another theme, with colours of that theme, on a context scaled to its size. */
    paint: (ctx: CanvasRenderingContext2D, inTheme: PlotTheme, colours: Painting): void =>
      drawOn(ctx, null, inTheme, colours),
    close(): void {
      isClosed = true;
      clearTimeout(timer);
      cancelAnimationFrame(frame);
    },
  };
}
