import { CalendarDate, type DateValue } from "@internationalized/date";
import { useState } from "react";
import { ChevronLeft, ChevronRight } from "lucide-react";
import {
  Button,
  CalendarCell,
  CalendarGrid,
  CalendarGridBody,
  CalendarGridHeader,
  CalendarHeaderCell,
  Heading,
  RangeCalendar,
} from "react-aria-components";
import type { TimeRange } from "#shared/time/range.ts";
import { DAY_MS, type UtcMs } from "#shared/time/utc.ts";
import classes from "./range.module.css";

function dayOf(moment: UtcMs): CalendarDate {
  const date = new Date(moment);
  return new CalendarDate(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate());
}

function startOf({ year, month, day }: DateValue): UtcMs {
  return Date.UTC(year, month - 1, day);
}

interface RangeDaysProps {
  readonly range: TimeRange;
  readonly onChange: (range: TimeRange) => void;
}

/** A calendar of two months in UTC, in which the user clicks the first and last day of the range. */
export function RangeDays({ range, onChange }: RangeDaysProps) {
  const first = dayOf(range.startMs);
  const last = dayOf(range.endMs - 1);
  const month = `${last.year} ${last.month}`;
  const [focused, setFocused] = useState<DateValue>(last);
  const [shownMonth, setShownMonth] = useState(month);
  // Shows the months of a range that was typed or set elsewhere.
  if (shownMonth !== month) {
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
      value={{ start: first, end: last }}
      onChange={({ start, end }) => onChange({ startMs: startOf(start), endMs: startOf(end) + DAY_MS })}
    >
      <header className={classes["months"]}>
        <Button slot="previous" className={classes["page"]}>
          <ChevronLeft aria-hidden />
        </Button>
        <Heading className={classes["monthNames"]} />
        <Button slot="next" className={classes["page"]}>
          <ChevronRight aria-hidden />
        </Button>
      </header>
      <div className={classes["grids"]}>
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
        {(day) => <CalendarHeaderCell className={classes["weekday"]}>{day}</CalendarHeaderCell>}
      </CalendarGridHeader>
      <CalendarGridBody>{(date) => <CalendarCell date={date} className={classes["day"]} />}</CalendarGridBody>
    </CalendarGrid>
  );
}
