import { useState } from "react";
import { Form } from "react-aria-components";
import type { TimeRange } from "#shared/time/range.ts";
import { MINUTE_MS } from "#shared/time/utc.ts";
import { useConnectionId } from "../../stores/connection.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { Button } from "../../ui/Button.tsx";
import { TextField } from "../../ui/fields.tsx";
import { cachedRange } from "./cachedRange.ts";
import { parseRange } from "./parse.ts";
import { presets } from "./presets.ts";
import classes from "./range.module.css";
import { RangeDays } from "./RangeDays.tsx";
import { lengthText, momentText, rangeText } from "./words.ts";

interface RangeFormProps {
  readonly range: TimeRange;
  readonly onChange: (range: TimeRange) => void;
  readonly onClose: () => void;
}

/** A range by name, by typing both ends, or by days. */
export function RangeForm({ range, onChange, onClose }: RangeFormProps) {
  const connectionId = useConnectionId();
  const hasStations = useWorkspace((s) => s.stationIds.length > 0);
  const choose = (next: TimeRange): void => {
    onChange(next);
    onClose();
  };
  const chooseCached = async (): Promise<void> => {
    const cached = await cachedRange(connectionId);
    if (cached) choose(cached);
  };
  return (
    <div className={classes["form"]}>
      <div role="group" aria-label="Ranges by name" className={classes["presets"]}>
        {presets(Date.now()).map((preset) => (
          <Button key={preset.id} look="quiet" onPress={() => choose(preset.range)}>
            {preset.title}
          </Button>
        ))}
        <Button look="quiet" isDisabled={!hasStations} onPress={() => void chooseCached()}>
          All that is cached
        </Button>
      </div>
      <div className={classes["exact"]}>
        {/* A range from elsewhere is typed anew. */}
        <TypedRange key={`${range.startMs} ${range.endMs}`} range={range} onChoose={choose} />
        <RangeDays range={range} onChange={onChange} />
      </div>
    </div>
  );
}

interface TypedRangeProps {
  readonly range: TimeRange;
  readonly onChoose: (range: TimeRange) => void;
}

function TypedRange({ range, onChoose }: TypedRangeProps) {
  const [start, setStart] = useState(momentText(range.startMs));
  const [end, setEnd] = useState(momentText(range.endMs));
  // "now" in whole minutes, and not before what was just measured.
  const nowMs = Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS;
  const typed = parseRange(start, end, nowMs);
  const problemOf = (edge: "start" | "end"): string | null => (!typed.ok && typed.edge === edge ? typed.problem : null);
  return (
    <Form
      className={classes["typed"]!}
      onSubmit={(event) => {
        event.preventDefault();
        if (typed.ok) onChoose(typed.range);
      }}
    >
      <div className={classes["ends"]}>
        <TextField label="Start, UTC" value={start} onChange={setStart} problem={problemOf("start")} autoFocus />
        <TextField label="End, UTC (not included)" value={end} onChange={setEnd} problem={problemOf("end")} />
        <Button type="submit" look="primary" isDisabled={!typed.ok}>
          Show
        </Button>
      </div>
      {typed.ok ? (
        <p aria-live="polite" className={classes["said"]}>
          {rangeText(typed.range)}, {lengthText(typed.range)}
        </p>
      ) : null}
    </Form>
  );
}
