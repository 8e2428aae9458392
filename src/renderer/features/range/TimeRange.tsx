import { CalendarRange, ChevronLeft, ChevronRight } from "lucide-react";
import { useEffect, useRef } from "react";
import type { TimeRange as Range } from "#shared/time/range.ts";
import { useCommand } from "../../stores/commands.ts";
import { followAutoFetch, AUTO_FETCH } from "../../stores/autoFetch.ts";
import { followClock, followRangeHistory, showRange } from "../../stores/range.ts";
import { showToast } from "../../stores/toasts.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { Button, IconButton } from "../../ui/Button.tsx";
import { Flyout } from "../../ui/Flyout.tsx";
import { createZoom, stepRange } from "./move.ts";
import { movingText } from "#shared/time/typed.ts";
import classes from "./range.module.css";
import { RangeForm } from "./RangeForm.tsx";
import { lengthText, rangeText } from "./labels.ts";
import { usePane } from "../../stores/pane.ts";

function change(next: (range: Range) => Range): void {
  showRange(next(useWorkspace.getState().range));
}

function back(): void {
  change((range) => stepRange(range, -1));
}

function forward(): void {
  change((range) => stepRange(range, 1));
}

const zoom = createZoom();

/** Makes Alt with an arrow key go through the previous ranges, like the browser's buttons. */
function useRangeHistory(): void {
  const canGoBack = useRef((): boolean => false);
  useEffect(() => {
    const { canGoBack: can, stop } = followRangeHistory();
    canGoBack.current = can;
    return stop;
  }, []);
  // Before the first range, the history would leave this page.
  useCommand("range.back", () => (canGoBack.current() ? history.back() : showToast("This is the first time range.")));
  useCommand("range.forward", () => history.forward());
}

function Length() {
  return lengthText(useWorkspace((s) => s.range));
}

function Shown() {
  const range = useWorkspace((s) => s.range);
  const moving = useWorkspace((s) => s.moving);
  const [minutes] = usePane(AUTO_FETCH);
  return (
    <>
      <span>{rangeText(range)}</span>
      <span className="overflow-hidden text-ellipsis text-faint font-normal">
        {moving ? movingText(moving) : lengthText(range)}
        {moving && minutes > 0 ? `, every ${minutes} min` : ""}
      </span>
    </>
  );
}

/** The time range, with buttons for steps and a form to change it. Only its texts render when it changes. */
export function TimeRange() {
  const isShown = useWorkspace((s) => s.section === "explore");
  useCommand("time.back", back, isShown);
  useCommand("time.forward", forward, isShown);
  useCommand("zoom.in", () => change(zoom.shorter), isShown);
  useCommand("zoom.out", () => change(zoom.longer), isShown);
  useEffect(followClock, []);
  useEffect(followAutoFetch, []);
  useRangeHistory();
  // The other sections have ranges of their own.
  if (!isShown) return null;
  return (
    <div role="group" aria-label="Time range" className={`${classes["range"]} row min-w-0`}>
      <Flyout
        label="Time range"
        placement="bottom end"
        button={
          <Button look="quiet" icon={CalendarRange}>
            <Shown />
          </Button>
        }
      >
        {(close) => <RangeForm onClose={close} />}
      </Flyout>
      <IconButton
        label={
          <>
            Step back by <Length />
          </>
        }
        command="time.back"
        onPress={back}
        icon={ChevronLeft}
      />
      <IconButton
        label={
          <>
            Step forward by <Length />
          </>
        }
        command="time.forward"
        onPress={forward}
        icon={ChevronRight}
      />
    </div>
  );
}
