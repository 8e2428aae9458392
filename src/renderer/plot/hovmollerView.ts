import { composeHovmoller, type Hovmoller, type HovmollerBox, hovmollerBox, rowAt } from "./hovmoller.ts";
import { paintScene } from "./figure/paint.ts";
import { type LaneSegment, segmentAt } from "#shared/plot/lanes.ts";
import type { CursorPlace } from "#shared/plot/panel.ts";
import type { PanelPorts, PanelView } from "./panelView.ts";
import { followSize } from "../ui/useSize.ts";
import { PlotPointer } from "./pointers.ts";

/** Tolerance around narrow gaps. */
const REACH_PX = 3;

/** A Hovmöller diagram on a stage, with the same movements, zooming and cursor as panels of lines. */
export class HovmollerPanel implements PanelView<Hovmoller> {
  readonly #host: HTMLElement;
  readonly #ports: PanelPorts;
  readonly #canvas = document.createElement("canvas");
  readonly #over = createPart("over");
  readonly #selection = createPart("selection");
  readonly #row = createPart("row");
  readonly #line = createPart("line");
  readonly #detachPointer: () => void;
  readonly #unfollow: () => void;
  #diagram: Hovmoller;
  #pointer: { readonly x: number; readonly y: number } | null = null;
  /** The cursor set by keyboard. */
  #cursorMs: number | null = null;

  constructor(host: HTMLElement, diagram: Hovmoller, ports: PanelPorts) {
    this.#host = host;
    this.#ports = ports;
    this.#diagram = diagram;
    this.#canvas.setAttribute("aria-hidden", "true");
    this.#over.append(this.#selection, this.#row, this.#line);
    host.append(this.#canvas, this.#over);
    this.#detachPointer = this.#listen();
    this.#unfollow = followSize(host, () => this.draw());
  }

  update(next: Hovmoller): void {
    this.#diagram = next;
    this.draw();
  }

  cursorTo(momentMs: number | null): CursorPlace | null {
    this.#cursorMs = momentMs;
    this.#showCursor();
    if (momentMs === null) return null;
    const rowPx = this.#boxOf().height / Math.max(1, this.#diagram.rows.length);
    const at = this.#placeAt(this.#xOf(momentMs), (Math.max(0, this.#rowIndex()) + 0.5) * rowPx);
    return at && { ...at, momentMs };
  }

  markPending(): void {
    delete this.#host.dataset["drawn"];
  }

  draw(): void {
    const scene = composeHovmoller(this.#diagram, this.#sizeOf(), this.#ports.theme(), this.#ports.view());
    paintScene(scene, this.#canvas, devicePixelRatio);
    place(this.#over, this.#boxOf());
    this.#showCursor();
    this.#host.dataset["drawn"] = String(this.#diagram.rows.filter((each) => each.line.track !== null).length);
  }

  markRange(range: { readonly fromX: number; readonly toX: number } | null): void {
    this.#selection.hidden = range === null;
    if (!range) return;
    const { fromX, toX } = range;
    place(this.#selection, { left: fromX, top: 0, width: toX - fromX, height: this.#boxOf().height });
  }

  updateTheme(): void {
    this.draw();
  }

  remove(): void {
    this.#unfollow();
    this.#detachPointer();
    this.#canvas.remove();
    this.#over.remove();
  }

  #sizeOf() {
    const { clientWidth, clientHeight } = this.#host;
    return { width: Math.max(320, clientWidth), height: Math.max(160, clientHeight) };
  }

  #boxOf(): HovmollerBox {
    return hovmollerBox(this.#sizeOf());
  }

  #xOf(ms: number): number {
    const { startMs, endMs } = this.#ports.view();
    return ((ms - startMs) / (endMs - startMs)) * this.#boxOf().width;
  }

  #listen(): () => void {
    const point = (at: { readonly x: number; readonly y: number } | null): void => {
      this.#pointer = at;
      this.#showCursor();
      this.#ports.onCursor(at && this.#placeAt(at.x, at.y));
    };
    return new PlotPointer(this.#host, this.#over, {
      ...this.#ports.pointer,
      press: (x, y) => {
        const at = this.#placeAt(x, y);
        if (at) this.#ports.onPress(at);
      },
      hover: (x, y) => point({ x, y }),
      leave: () => point(null),
    }).attach();
  }

  #showCursor(): void {
    const { width, height } = this.#boxOf();
    const x = this.#cursorMs === null ? this.#pointer?.x : this.#xOf(this.#cursorMs);
    this.#line.hidden = x === undefined || x < 0 || x > width;
    if (x !== undefined) place(this.#line, { left: x, top: 0, width: 1, height });
    const index = this.#rowIndex();
    this.#row.hidden = index < 0;
    const rowPx = height / Math.max(1, this.#diagram.rows.length);
    place(this.#row, { left: 0, top: index * rowPx, width, height: rowPx });
  }

  /** Index of the row of the highlighted station, or under the pointer; -1: none. */
  #rowIndex(): number {
    const { rows } = this.#diagram;
    const id =
      this.#ports.highlighted() ??
      (this.#pointer && rowAt(this.#diagram, this.#boxOf(), this.#pointer.y)?.line.stationId);
    return id === null ? -1 : rows.findIndex((each) => each.line.stationId === id);
  }

  #placeAt(x: number, y: number): CursorPlace | null {
    const box = this.#boxOf();
    if (x < 0 || x > box.width || y < 0) return null;
    const { startMs, endMs } = this.#ports.view();
    const perPx = (endMs - startMs) / box.width;
    const momentMs = startMs + x * perPx;
    const stationId = rowAt(this.#diagram, box, y)?.line.stationId ?? null;
    const { left, top } = this.#over.getBoundingClientRect();
    const gap = gapIn(this.#diagram, stationId, momentMs, perPx * REACH_PX);
    return { momentMs, gap, stationId, clientX: left + x, clientY: top + y };
  }
}

function gapIn({ gaps }: Hovmoller, stationId: string | null, momentMs: number, withinMs: number): CursorPlace["gap"] {
  const own = gaps.find((each) => each.stationId === stationId)?.gaps ?? [];
  const segments = own.map((gap): LaneSegment => ({ ...gap, stations: 1 }));
  const piece = segmentAt(segments, momentMs, withinMs);
  return piece && { ...piece, stationId };
}

function createPart(name: string): HTMLElement {
  const element = document.createElement("div");
  element.dataset["part"] = name;
  if (name !== "over") element.hidden = true;
  return element;
}

function place({ style }: HTMLElement, { left, top, width, height }: HovmollerBox): void {
  Object.assign(style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
}
