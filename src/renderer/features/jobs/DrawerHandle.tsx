import { type KeyboardEvent, type PointerEvent, useRef } from "react";
import { usePane } from "../../stores/workspace.ts";
import classes from "./jobs.module.css";

const MIN_PX = 120;
const DEFAULT_PX = 280;
const STEP_PX = 28;

function readHeight(kept: unknown): number {
  return typeof kept === "number" && Number.isFinite(kept) ? kept : DEFAULT_PX;
}

/** Maximum height of the drawer, so that part of the views remains visible, px. */
function maxPx(): number {
  return Math.max(MIN_PX, Math.round(innerHeight * 0.6));
}

function clamped(heightPx: number): number {
  return Math.round(Math.min(maxPx(), Math.max(MIN_PX, heightPx)));
}

/** Returns the stored height of the drawer, px, and a function that changes it. */
export function useDrawerHeight(): [number, (heightPx: number) => void] {
  const [kept, keep] = usePane("jobs.heightPx", readHeight);
  return [clamped(kept), (heightPx) => keep(clamped(heightPx))];
}

interface DrawerHandleProps {
  readonly heightPx: number;
  readonly onChange: (heightPx: number) => void;
}

/** The upper edge of the drawer, which can be dragged or moved with the arrow keys. */
export function DrawerHandle({ heightPx, onChange }: DrawerHandleProps) {
  const dragStart = useRef<{ readonly y: number; readonly heightPx: number } | null>(null);
  const onPointerDown = (event: PointerEvent): void => {
    event.currentTarget.setPointerCapture(event.pointerId);
    dragStart.current = { y: event.clientY, heightPx };
  };
  const onPointerMove = (event: PointerEvent): void => {
    const start = dragStart.current;
    if (start) onChange(start.heightPx + start.y - event.clientY);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "ArrowUp") onChange(heightPx + STEP_PX);
    else if (event.key === "ArrowDown") onChange(heightPx - STEP_PX);
    else return;
    event.preventDefault();
  };
  return (
    <div
      role="separator"
      aria-label="Height of the drawer"
      aria-orientation="horizontal"
      aria-valuenow={heightPx}
      aria-valuemin={MIN_PX}
      aria-valuemax={maxPx()}
      tabIndex={0}
      className={classes["handle"]}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={() => (dragStart.current = null)}
      onKeyDown={onKeyDown}
    />
  );
}
