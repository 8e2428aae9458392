import { CalendarRange, ChevronLeft, ChevronRight } from "lucide-react";
import type { TimeRange as Range } from "#shared/time/range.ts";
import { useCommand } from "../../stores/commands.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { Button, IconButton } from "../../ui/Button.tsx";
import { Flyout } from "../../ui/Flyout.tsx";
import { createZoom, stepRange } from "./move.ts";
import { presets } from "./presets.ts";
import classes from "./range.module.css";
import { RangeForm } from "./RangeForm.tsx";
import { lengthText, rangeText } from "./words.ts";

function setRange(range: Range): void {
  useWorkspace.setState({ range });
}

function change(next: (range: Range) => Range): void {
  setRange(next(useWorkspace.getState().range));
}

function back(): void {
  change((range) => stepRange(range, -1));
}

function forward(): void {
  change((range) => stepRange(range, 1));
}

function showPreset(id: string): void {
  const preset = presets(Date.now()).find((one) => one.id === id);
  if (preset) setRange(preset.range);
}

const zoom = createZoom();

/** The one time range: shown, stepped, zoomed, and chosen in a form that drops from it. */
export function TimeRange() {
  const range = useWorkspace((s) => s.range);
  useCommand("time.back", back);
  useCommand("time.forward", forward);
  useCommand("range.day", () => showPreset("day"));
  useCommand("range.week", () => showPreset("week"));
  useCommand("range.month", () => showPreset("month"));
  useCommand("range.year", () => showPreset("year"));
  useCommand("zoom.in", () => change(zoom.shorter));
  useCommand("zoom.out", () => change(zoom.longer));
  const length = lengthText(range);
  return (
    <div role="group" aria-label="Time range" className={classes["range"]}>
      <Flyout
        label="Time range"
        placement="bottom end"
        button={
          <Button look="quiet">
            <CalendarRange aria-hidden />
            <span>{rangeText(range)}</span>
            <span className={classes["length"]}>{length}</span>
          </Button>
        }
      >
        {(close) => <RangeForm range={range} onChange={setRange} onClose={close} />}
      </Flyout>
      <IconButton label={`Step back by ${length}`} command="time.back" onPress={back}>
        <ChevronLeft aria-hidden />
      </IconButton>
      <IconButton label={`Step forward by ${length}`} command="time.forward" onPress={forward}>
        <ChevronRight aria-hidden />
      </IconButton>
    </div>
  );
}
