import { type KeyboardEvent, type PointerEvent, useRef } from "react";
import { usePane } from "../../stores/workspace.ts";
import classes from "./jobs.module.css";

const LEAST_PX = 120;
const FIRST_PX = 280;
const STEP_PX = 28;

function readHeight(kept: unknown): number {
  return typeof kept === "number" && Number.isFinite(kept) ? kept : FIRST_PX;
}

function mostPx(): number {
  return Math.max(LEAST_PX, Math.round(innerHeight * 0.6));
}

function within(heightPx: number): number {
  return Math.round(Math.min(mostPx(), Math.max(LEAST_PX, heightPx)));
}

/** The height of the drawer as it was left, and a way to change it; always so that something is left of the views. */
export function useDrawerHeight(): [number, (heightPx: number) => void] {
  const [kept, keep] = usePane("jobs.heightPx", readHeight);
  return [within(kept), (heightPx) => keep(within(heightPx))];
}

interface DrawerHandleProps {
  readonly heightPx: number;
  readonly onChange: (heightPx: number) => void;
}

/** The upper edge of the drawer: dragged, or moved with the arrows. */
export function DrawerHandle({ heightPx, onChange }: DrawerHandleProps) {
  const grip = useRef<{ readonly y: number; readonly heightPx: number } | null>(null);
  const onPointerDown = (event: PointerEvent): void => {
    event.currentTarget.setPointerCapture(event.pointerId);
    grip.current = { y: event.clientY, heightPx };
  };
  const onPointerMove = (event: PointerEvent): void => {
    if (grip.current) onChange(grip.current.heightPx + grip.current.y - event.clientY);
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
      aria-valuemin={LEAST_PX}
      aria-valuemax={mostPx()}
      tabIndex={0}
      className={classes["handle"]}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={() => (grip.current = null)}
      onKeyDown={onKeyDown}
    />
  );
}
