import { composeHovmoller, type Hovmoller, type HovmollerBox, hovmollerBox, rowAt } from "./hovmoller.ts";
import { paintScene } from "./figure/paint.ts";
import { type LaneSegment, segmentAt } from "#shared/plot/lanes.ts";
import type { CursorPlace } from "#shared/plot/panel.ts";
import type { PanelPorts, PanelView } from "./panelView.ts";
import { attachPointer } from "./pointers.ts";

/** Tolerance around narrow gaps. */
const REACH_PX = 3;

/** Shows a Hovmöller diagram on a stage, with the same movements, zooming and cursor as panels of lines. */
export function createHovmollerView(host: HTMLElement, first: Hovmoller, ports: PanelPorts): PanelView<Hovmoller> {
  let diagram = first;
  const canvas = document.createElement("canvas");
  canvas.setAttribute("aria-hidden", "true");
  const over = createPart("over");
  const [selection, row, line] = [createPart("selection"), createPart("row"), createPart("line")];
  over.append(selection, row, line);
  host.append(canvas, over);
  let pointer: { readonly x: number; readonly y: number } | null = null;
  /** The cursor set by keyboard. */
  let cursorMs: number | null = null;

  const sizeOf = () => ({ width: Math.max(320, host.clientWidth), height: Math.max(160, host.clientHeight) });
  const boxOf = () => hovmollerBox(sizeOf());
  const xOf = (ms: number): number => {
    const { startMs, endMs } = ports.view();
    return ((ms - startMs) / (endMs - startMs)) * boxOf().width;
  };

  function draw(): void {
    paintScene(composeHovmoller(diagram, sizeOf(), ports.theme(), ports.view()), canvas, devicePixelRatio);
    place(over, boxOf());
    showCursor();
    host.dataset["drawn"] = String(diagram.rows.filter((each) => each.line.track !== null).length);
  }

  function showCursor(): void {
    const { width, height } = boxOf();
    const x = cursorMs === null ? pointer?.x : xOf(cursorMs);
    line.hidden = x === undefined || x < 0 || x > width;
    if (x !== undefined) place(line, { left: x, top: 0, width: 1, height });
    const index = rowIndex();
    row.hidden = index < 0;
    const rowPx = height / Math.max(1, diagram.rows.length);
    place(row, { left: 0, top: index * rowPx, width, height: rowPx });
  }

  /** Index of the row of the highlighted station, or under the pointer; -1: none. */
  function rowIndex(): number {
    const id = ports.highlighted() ?? (pointer && rowAt(diagram, boxOf(), pointer.y)?.line.stationId);
    return id === null ? -1 : diagram.rows.findIndex((each) => each.line.stationId === id);
  }

  function placeAt(x: number, y: number): CursorPlace | null {
    const box = boxOf();
    if (x < 0 || x > box.width || y < 0) return null;
    const { startMs, endMs } = ports.view();
    const perPx = (endMs - startMs) / box.width;
    const momentMs = startMs + x * perPx;
    const rect = over.getBoundingClientRect();
    const stationId = rowAt(diagram, box, y)?.line.stationId ?? null;
    const gaps = diagram.gaps.find((each) => each.stationId === stationId)?.gaps ?? [];
    const piece = segmentAt(
      gaps.map((gap): LaneSegment => ({ ...gap, stations: 1 })),
      momentMs,
      perPx * REACH_PX,
    );
    return {
      momentMs,
      gap: piece && { ...piece, stationId },
      stationId,
      clientX: rect.left + x,
      clientY: rect.top + y,
    };
  }

  const detachPointer = attachPointer(host, over, {
    ...ports.pointer,
    press(x, y) {
      const at = placeAt(x, y);
      if (at) ports.onPress(at);
    },
    hover(x, y) {
      pointer = { x, y };
      showCursor();
      ports.onCursor(placeAt(x, y));
    },
    leave() {
      pointer = null;
      showCursor();
      ports.onCursor(null);
    },
  });
  const sizes = new ResizeObserver(draw);
  sizes.observe(host);
  draw();
  return {
    update(next) {
      diagram = next;
      draw();
    },
    cursorTo(momentMs) {
      cursorMs = momentMs;
      showCursor();
      if (momentMs === null) return null;
      const { height } = boxOf();
      const at = placeAt(xOf(momentMs), ((Math.max(0, rowIndex()) + 0.5) * height) / Math.max(1, diagram.rows.length));
      return at && { ...at, momentMs };
    },
    markPending() {
      delete host.dataset["drawn"];
    },
    draw,
    markRange(range) {
      selection.hidden = range === null;
      if (!range) return;
      const { fromX, toX } = range;
      place(selection, { left: fromX, top: 0, width: toX - fromX, height: boxOf().height });
    },
    updateTheme: draw,
    remove() {
      sizes.disconnect();
      detachPointer();
      canvas.remove();
      over.remove();
    },
  };
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
