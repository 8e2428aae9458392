import { composeHovmoller, type Hovmoller, hovmollerBox, rowAt } from "./hovmoller.ts";
import { paintScene } from "./figure/paint.ts";
import { type LanePiece, pieceAt } from "#shared/plot/lanes.ts";
import type { CursorPlace } from "#shared/plot/panel.ts";
import type { PanelPorts, PanelView } from "./panelView.ts";
import { followPointer } from "./pointers.ts";

/** A gap may be narrower than a hand can point. */
const REACH_PX = 3;

/** A Hovmöller diagram on a stage: it moves, zooms and is read as the panels of lines are. */
export function createHovmollerView(host: HTMLElement, first: Hovmoller, ports: PanelPorts): PanelView<Hovmoller> {
  let diagram = first;
  const canvas = document.createElement("canvas");
  canvas.setAttribute("aria-hidden", "true");
  const over = part("over");
  const [selection, row, line] = [part("selection"), part("row"), part("line")];
  over.append(selection, row, line);
  host.append(canvas, over);
  let pointed: { readonly x: number; readonly y: number } | null = null;
  /** Where the keyboard has put the cursor. */
  let cursorMs: number | null = null;

  const boxOf = () => hovmollerBox(Math.max(320, host.clientWidth), Math.max(160, host.clientHeight));
  const xOf = (ms: number): number => {
    const { startMs, endMs } = ports.view();
    return ((ms - startMs) / (endMs - startMs)) * boxOf().width;
  };

  function draw(): void {
    const [width, height] = [Math.max(320, host.clientWidth), Math.max(160, host.clientHeight)];
    paintScene(composeHovmoller(diagram, width, height, ports.theme(), ports.view()), canvas, devicePixelRatio);
    const box = boxOf();
    place(over, box.left, box.top, box.width, box.height);
    showCursor();
    host.dataset["drawn"] = String(diagram.rows.filter((each) => each.line.track !== null).length);
  }

  function showCursor(): void {
    const { width, height } = boxOf();
    const x = cursorMs === null ? pointed?.x : xOf(cursorMs);
    line.hidden = x === undefined || x < 0 || x > width;
    if (x !== undefined) place(line, x, 0, 1, height);
    const index = rowIndex();
    row.hidden = index < 0;
    const rowPx = height / Math.max(1, diagram.rows.length);
    place(row, 0, index * rowPx, width, rowPx);
  }

  /** Of the row that is read: of the station that is highlighted, or under the pointer. */
  function rowIndex(): number {
    const id = ports.highlighted() ?? (pointed && rowAt(diagram, boxOf(), pointed.y)?.line.stationId);
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
    const piece = pieceAt(
      gaps.map((gap): LanePiece => ({ ...gap, stations: 1 })),
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

  const endPointer = followPointer(host, over, {
    ...ports.hand,
    press(x, y) {
      const at = placeAt(x, y);
      if (at) ports.onPress(at);
    },
    hover(x, y) {
      pointed = { x, y };
      showCursor();
      ports.onCursor(placeAt(x, y));
    },
    leave() {
      pointed = null;
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
    expect() {
      delete host.dataset["drawn"];
    },
    draw,
    mark(range) {
      selection.hidden = range === null;
      if (range) place(selection, range.fromX, 0, range.toX - range.fromX, boxOf().height);
    },
    retheme: draw,
    remove() {
      sizes.disconnect();
      endPointer();
      canvas.remove();
      over.remove();
    },
  };
}

function part(name: string): HTMLElement {
  const element = document.createElement("div");
  element.dataset["part"] = name;
  if (name !== "over") element.hidden = true;
  return element;
}

function place({ style }: HTMLElement, left: number, top: number, width: number, height: number): void {
  Object.assign(style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
}
