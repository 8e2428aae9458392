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
  type DrawnStations,
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

const REST_MS = 140;
const NO_SIZE: Size = { widthPx: 1, heightPx: 1 };

/** A map on a canvas. Movements shift the drawn image at once; it is projected again when the map comes to rest. */
export class MapStage {
  readonly #canvas: HTMLCanvasElement;
  readonly #onRest: (visible: VisibleMap) => void;
  #view: View = createView(worldCamera(NO_SIZE), NO_SIZE);
  #ratio = 1;
  #theme: PlotTheme = pageTheme();
  #positions: readonly (Position | null)[] = [];
  #worldPoints: Points = projectOntoWorld([]);
  #painting: Painting = { groups: new Uint8Array(0), colours: ["transparent"], isScale: false };
  #selected: ReadonlyMap<number, string> = new Map();
  #names: readonly string[] | null = null;
  #hovered: number | null = null;
  #area: SelectionArea | null = null;
  #hasCrosshair = false;
  #world: World | null = null;
  #loadedDetail = "";
  #baseMap: BaseMap | null = null;
  #points: Points = this.#worldPoints;
  #clustering: Clustering = { groups: [], singles: [] };
  /** The level of the clustering; null if it is outdated. */
  #clusteredLevel: number | null = null;
  #clusters: readonly Cluster[] = [];
  #frame = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  /** @param onRest called whenever the map was projected again */
  constructor(canvas: HTMLCanvasElement, onRest: (visible: VisibleMap) => void) {
    this.#canvas = canvas;
    this.#onRest = onRest;
  }

  setStations(next: readonly (Position | null)[]): void {
    this.#positions = next;
    this.#worldPoints = projectOntoWorld(next);
    this.#clusteredLevel = null;
    this.#hovered = null;
    this.#settle();
  }

  setPainting(next: Painting, selected: ReadonlyMap<number, string>): void {
    this.#painting = next;
    if ([...selected.keys()].join() !== [...this.#selected.keys()].join()) this.#clusteredLevel = null;
    this.#selected = selected;
    this.#updateClusters();
    this.#redraw();
  }

  /** Names of the stations, by index, to draw beside them; null for none. */
  setLabels(next: readonly string[] | null): void {
    this.#names = next;
    this.#redraw();
  }

  setHovered(index: number | null): void {
    if (index === this.#hovered) return;
    this.#hovered = index;
    this.#redraw();
  }

  setSelectionArea(next: SelectionArea | null): void {
    this.#area = next;
    this.#redraw();
  }

  setCrosshair(isShown: boolean): void {
    this.#hasCrosshair = isShown;
    this.#redraw();
  }

  resize(next: Size, ratio: number): void {
    const { widthPx, heightPx } = this.#view.size;
    if (next.widthPx === widthPx && next.heightPx === heightPx && ratio === this.#ratio) return;
    this.#ratio = ratio;
    this.#canvas.width = Math.round(next.widthPx * ratio);
    this.#canvas.height = Math.round(next.heightPx * ratio);
    this.#show(resizeView(this.#view, next));
    // Draws at once, because resizing clears the canvas.
    cancelAnimationFrame(this.#frame);
    this.#draw();
  }

  themeChanged(): void {
    this.#theme = pageTheme();
    this.#redraw();
  }

  lookAt(camera: Camera): void {
    this.#show(lookAt(this.#view, camera));
  }

  panBy(dx: number, dy: number): void {
    this.#move(panView(this.#view, dx, dy));
  }

  zoomBy(factor: number, atX = this.#view.size.widthPx / 2, atY = this.#view.size.heightPx / 2): void {
    this.#move(zoomView(this.#view, factor, atX, atY));
  }

  /** Returns a camera that shows all stations. */
  fitAll(marginPx: number): Camera {
    const placed = this.#positions.filter((position) => position !== null);
    return fitCamera(placed, this.#view.size, marginPx);
  }

  size(): Size {
    return this.#view.size;
  }

  camera(): Camera {
    return currentCamera(this.#view);
  }

  hitAt(x: number, y: number): Hit | null {
    return hitAt(this.#scene(), x, y);
  }

  /** Returns the visible station nearest to the centre of the map. */
  centralStation(): number | null {
    return centralStation(this.#scene());
  }

  stationsWithin(drawn: SelectionArea): number[] {
    return stationsWithin(this.#scene(), drawn);
  }

  screenPosition(index: number): readonly [number, number] {
    return toScreen(this.#points, index, this.#view.shift);
  }

  /** Paints the map in another theme, with colours of that theme, on a context scaled to its size. */
  paint(ctx: CanvasRenderingContext2D, theme: PlotTheme, painting: Painting): void {
    this.#drawOn(ctx, null, theme, painting);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    cancelAnimationFrame(this.#frame);
  }

  #scene(): DrawnStations {
    const { shift, size } = this.#view;
    const { singles } = this.#clustering;
    return {
      points: this.#points,
      singles,
      clusters: this.#clusters,
      selected: [...this.#selected.keys()],
      shift,
      size,
    };
  }

  #drawOn(ctx: CanvasRenderingContext2D, hovered: number | null, theme: PlotTheme, painting: Painting): void {
    const on = { ctx, theme, shift: this.#view.shift, size: this.#view.size };
    if (this.#baseMap) drawBase(on, this.#baseMap);
    const { singles } = this.#clustering;
    const clusters = this.#clusters;
    const symbols = { points: this.#points, singles, clusters, painting, selected: this.#selected, hovered };
    drawStations(on, symbols);
    if (this.#names) drawLabels(on, symbols, this.#names);
  }

  #draw(): void {
    this.#frame = 0;
    const ctx = this.#canvas.getContext("2d");
    if (!ctx || this.#isClosed) return;
    ctx.setTransform(this.#ratio, 0, 0, this.#ratio, 0, 0);
    this.#drawOn(ctx, this.#hovered, this.#theme, this.#painting);
    if (this.#area) drawSelectionArea(ctx, this.#area, this.#theme);
    if (this.#hasCrosshair) drawCrosshair(ctx, this.#view.size, this.#theme);
  }

  #redraw(): void {
    if (this.#frame === 0 && !this.#isClosed) this.#frame = requestAnimationFrame(() => this.#draw());
  }

  #move(next: View): void {
    if (next === this.#view) return;
    this.#view = next;
    this.#redraw();
    if (isFarMoved(next)) return this.#settle();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#settle(), REST_MS);
  }

  #settle(): void {
    this.#show(createView(currentCamera(this.#view), this.#view.size));
  }

  /** Projects and shows a view. */
  #show(next: View): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#view = next;
    const { projection, camera, size } = next;
    this.#baseMap = projectBaseMap(this.#world, projection, camera.scale);
    this.#points = projectPoints(this.#positions, projection);
    this.#updateClusters();
    void this.#fetchWorld();
    this.#onRest({ camera, stations: pointsInBox(this.#points, boxOf(size)) });
    this.#redraw();
  }

  #updateClusters(): void {
    const { scale } = this.#view.camera;
    const level = clusterLevel(scale);
    if (level !== this.#clusteredLevel) {
      this.#clustering = clusterPoints(this.#worldPoints, scale, (i) => this.#selected.has(i));
      this.#clusteredLevel = level;
    }
    this.#clusters = this.#clustering.groups.map((members) => createCluster(members, this.#points));
  }

  async #fetchWorld(): Promise<void> {
    const detail = worldDetail(this.#view.camera.scale);
    if (detail === this.#loadedDetail) return;
    const loaded = await loadWorld(detail);
    const { projection, camera } = this.#view;
    if (this.#isClosed || detail !== worldDetail(camera.scale) || detail === this.#loadedDetail) return;
    this.#world = loaded;
    this.#loadedDetail = detail;
    this.#baseMap = projectBaseMap(loaded, projection, camera.scale);
    this.#redraw();
  }
}
