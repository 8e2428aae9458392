import { type ClipboardEvent, useState } from "react";
import {
  Button as AriaButton,
  CalendarCell,
  CalendarGrid,
  CalendarGridBody,
  CalendarGridHeader,
  CalendarHeaderCell,
  Form,
  Heading,
  RangeCalendar,
} from "react-aria-components";
import { type CalendarDate, type DateValue, fromAbsolute, toCalendarDate } from "@internationalized/date";
import { ChevronLeft, ChevronRight } from "lucide-react";
import type { TimeRange } from "#shared/time/range.ts";
import { endsOf, type MovingRange, parseTypedRange, PRESETS } from "#shared/time/typed.ts";
import { hull, rangeSet } from "#shared/time/rangeset.ts";
import { DAY_MS, type UtcMs } from "#shared/time/utc.ts";
import { useIsOffline, openConnectionId } from "../../stores/connection.ts";
import { showMovingRange, type ShownTime, showRange } from "../../stores/range.ts";
import { useSettings } from "../../stores/settings.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { Button, QuietButton } from "../../ui/Button.tsx";
import { TextField } from "../../ui/fields.tsx";
import { local, localClock } from "../../ui/text.ts";
import classes from "./range.module.css";
import { lengthText, momentText, rangeText } from "./labels.ts";
import { bridge } from "../../bridge/index.ts";
import { useCatalogue } from "../../stores/catalogue.ts";
import { jobSpecOf, useSelection } from "../../stores/selection.ts";
import { orShowFault, showToast } from "../../stores/toasts.ts";
import { AUTO_FETCH, AUTO_FETCH_MINUTES } from "../../stores/autoFetch.ts";
import { Segments } from "../../ui/choices.tsx";
import { costWords } from "../fetch/labels.ts";
import { useCost } from "../fetch/useEstimate.ts";
import { usePane } from "../../stores/pane.ts";

const CHOICES = AUTO_FETCH_MINUTES.map((minutes) => ({
  value: minutes,
  label: minutes === 0 ? "Off" : `${minutes} min`,
}));

/** Sets how often new data are fetched, and shows the current cost. */
function AutoFetchChoice({ moving }: { readonly moving: MovingRange | null }) {
  const [minutes, setMinutes] = usePane(AUTO_FETCH);
  const cost = useCost(jobSpecOf(useSelection()));
  const isOffline = useIsOffline();
  const words = (): string => {
    if (!moving) return "Only for a range that moves with the clock, such as Last 7 days.";
    if (minutes !== 0 && isOffline) return "Paused: the service is unreachable.";
    const meaning = "While this window is visible, fetches missing data of any selection";
    return minutes !== 0 || cost === null ? `${meaning}.` : `${meaning}: first ${costWords(cost)}.`;
  };
  return (
    <div className={classes["autoFetch"]}>
      <span aria-hidden>Fetch automatically</span>
      <Segments
        label="Fetch automatically"
        choices={CHOICES}
        value={minutes}
        onChange={setMinutes}
        isDisabled={!moving}
      />
      <span className={classes["said"]}>{words()}</span>
    </div>
  );
}

/** Maximum of one request to the core. */
const MAX_STATIONS = 500;

/** Returns the range from the first to the last cached data of the selection; null if nothing is cached. */
async function cachedRange(): Promise<TimeRange | null> {
  const { stationIds, variables, intervalSeconds, raw } = jobSpecOf(useWorkspace.getState());
  const { byId } = useCatalogue.getState();
  const starts = stationIds.map((id) => byId.get(id)?.historicDataFromMs ?? Date.UTC(1990, 0, 1));
  const strips = bridge.catalogue.strips({
    connectionId: openConnectionId(),
    stationIds: stationIds.slice(0, MAX_STATIONS),
    variables,
    mode: { intervalSeconds, raw },
    range: { startMs: Math.min(...starts), endMs: Date.now() + 86_400_000 },
  });
  const answer = await orShowFault(strips);
  if (!answer.ok) return null;
  const found = hull(rangeSet(answer.value.flatMap((strip) => [...strip.final, ...strip.provisional])));
  if (!found) showToast("No data of the selected stations are cached yet.");
  return found;
}

/** Sets the time range by a preset, by typing both ends, or in a calendar. */
export function RangeForm({ onClose }: { readonly onClose: () => void }) {
  const range = useWorkspace((s) => s.range);
  const moving = useWorkspace((s) => s.moving);
  const hasStations = useWorkspace((s) => s.stationIds.length > 0);
  const setRange = (next: TimeRange): void => {
    showRange(next);
    onClose();
  };
  const setMovingRange = (next: MovingRange): void => {
    showMovingRange(next);
    onClose();
  };
  const setCachedRange = async (): Promise<void> => {
    const cached = await cachedRange();
    if (cached) setRange(cached);
  };
  // A range set elsewhere resets the fields; movement with the clock does not.
  const key = moving ? `${moving.start} ${moving.end}` : `${range.startMs} ${range.endMs}`;
  return (
    <div className="flex gap-4">
      <div
        role="group"
        aria-label="Ranges by name"
        className={`${classes["presets"]} stack items-stretch pr-3 border-r border-line`}
      >
        {PRESETS.map(({ title, start, end }) => (
          <QuietButton label={title} key={title} onPress={() => setMovingRange({ start, end })} />
        ))}
        <QuietButton label="All cached data" isDisabled={!hasStations} onPress={() => void setCachedRange()} />
      </div>
      <div className="stack gap-3 w-[472px]">
        <ExactRange key={key} range={range} moving={moving} onRange={setRange} onMovingRange={setMovingRange} />
        <AutoFetchChoice moving={moving} />
      </div>
    </div>
  );
}

interface ExactRangeProps extends ShownTime {
  readonly onRange: (range: TimeRange) => void;
  readonly onMovingRange: (moving: MovingRange) => void;
}

/** Whether the computer's time is another one than UTC, now or in half a year. */
function hasLocalTime(nowMs: UtcMs): boolean {
  return [nowMs, nowMs + 182 * DAY_MS].some((ms) => localClock(ms) !== null);
}

/** Text fields for both ends, either of which takes a whole range; the calendar below shows the typed range. */
function ExactRange({ range, moving, onRange, onMovingRange }: ExactRangeProps) {
  const showLocal = useSettings((s) => s.settings.localTime);
  const [start, setStart] = useState(moving?.start ?? momentText(range.startMs));
  const [end, setEnd] = useState(moving?.end ?? momentText(range.endMs));
  const nowMs = Date.now();
  const wholes = { start: endsOf(start, nowMs), end: endsOf(end, nowMs) };
  const whole = wholes.start ?? wholes.end ?? { start, end };
  const typed = parseTypedRange(whole.start, whole.end, nowMs);
  const problemOf = (edge: "start" | "end"): string | null => (!typed.ok && typed.edge === edge ? typed.problem : null);
  // The other field shows the other end of a whole range, and keeps it when this one is left.
  const separate = (): void => {
    setStart(whole.start);
    setEnd(whole.end);
  };
  const pasteEnds = (event: ClipboardEvent): void => {
    const ends = endsOf(event.clipboardData.getData("text/plain"), nowMs);
    if (ends === null) return;
    event.preventDefault();
    setStart(ends.start);
    setEnd(ends.end);
  };
  return (
    <>
      <Form
        className="stack gap-1"
        onSubmit={(event) => {
          event.preventDefault();
          if (!typed.ok) return;
          if (typed.moving) onMovingRange(typed.moving);
          else onRange(typed.range);
        }}
      >
        <div
          className={`${classes["ends"]} grid items-start grid-cols-[1fr_1fr_max-content] gap-2`}
          role="presentation"
          onPaste={pasteEnds}
          onBlur={separate}
        >
          <TextField
            label="Start, UTC"
            value={wholes.start === null ? whole.start : start}
            onChange={setStart}
            problem={problemOf("start")}
            autoFocus
          />
          <TextField
            label="End, UTC (not included)"
            value={wholes.start === null ? end : whole.end}
            onChange={setEnd}
            problem={problemOf("end")}
          />
          <Button type="submit" look="primary" isDisabled={!typed.ok}>
            Show
          </Button>
        </div>
        {/* It keeps its line, so that the calendar does not move. */}
        <p aria-live="polite" className={classes["said"]}>
          {typed.ok ? `${rangeText(typed.range)}, ${lengthText(typed.range)}` : null}
          {typed.ok && typed.moving ? ", moves with the clock" : null}
        </p>
      </Form>
      <RangeDays range={typed.ok ? typed.range : null} onChange={showRange} />
      {showLocal && hasLocalTime(nowMs) ? (
        <p className={`${classes["local"]} mt-2 pt-2 border-t border-line`}>
          In this computer’s time zone:{" "}
          {typed.ok ? `${local(typed.range.startMs)} → ${local(typed.range.endMs)}` : "unknown"}
        </p>
      ) : null}
    </>
  );
}

function calendarDay(momentMs: UtcMs): CalendarDate {
  return toCalendarDate(fromAbsolute(momentMs, "UTC"));
}

function dayStart(day: DateValue): UtcMs {
  return day.toDate("UTC").getTime();
}

interface RangeDaysProps {
  /** null while the texts name none. */
  readonly range: TimeRange | null;
  readonly onChange: (range: TimeRange) => void;
}

/** A calendar of two months in UTC, in which the user clicks the first and last day of the range. */
function RangeDays({ range, onChange }: RangeDaysProps) {
  const first = range && calendarDay(range.startMs);
  const last = range && calendarDay(range.endMs - 1);
  const [focused, setFocused] = useState<DateValue>(last ?? calendarDay(Date.now()));
  const [shownMonth, setShownMonth] = useState("");
  // Shows the months of a range that was typed or set elsewhere.
  const month = last === null ? shownMonth : `${last.year} ${last.month}`;
  if (last !== null && shownMonth !== month) {
    setShownMonth(month);
    setFocused(last);
  }
  return (
    <RangeCalendar
      aria-label="Days, UTC"
      visibleDuration={{ months: 2 }}
      pageBehavior="single"
      // The month of the end is the second of the two: what follows it has no data yet.
      selectionAlignment="end"
      focusedValue={focused}
      onFocusChange={setFocused}
      value={first && last ? { start: first, end: last } : null}
      onChange={({ start, end }) => onChange({ startMs: dayStart(start), endMs: dayStart(end) + DAY_MS })}
    >
      <header className="row">
        <AriaButton slot="previous" className={classes["page"]}>
          <ChevronLeft aria-hidden />
        </AriaButton>
        <Heading className="flex-1 text-center" />
        <AriaButton slot="next" className={classes["page"]}>
          <ChevronRight aria-hidden />
        </AriaButton>
      </header>
      <div className="flex items-start gap-6">
        <Days offset={0} />
        <Days offset={1} />
      </div>
    </RangeCalendar>
  );
}

function Days({ offset }: { readonly offset: number }) {
  return (
    <CalendarGrid offset={{ months: offset }} weekdayStyle="short" className={classes["days"]}>
      <CalendarGridHeader>
        {(day) => (
          <CalendarHeaderCell className="w-8 text-faint text-tiny font-medium leading-6">{day}</CalendarHeaderCell>
        )}
      </CalendarGridHeader>
      <CalendarGridBody>
        {(date) => (
          <CalendarCell
            date={date}
            className={`${classes["day"]} w-8 h-7 text-small leading-7 text-center cursor-default outline-none`}
          />
        )}
      </CalendarGridBody>
    </CalendarGrid>
  );
}
