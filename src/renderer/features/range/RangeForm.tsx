import { useState } from "react";
import { Form } from "react-aria-components";
import type { TimeRange } from "#shared/time/range.ts";
import { MINUTE_MS } from "#shared/time/utc.ts";
import { useConnectionId } from "../../stores/connection.ts";
import { useSettings } from "../../stores/settings.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { Button } from "../../ui/Button.tsx";
import { TextField } from "../../ui/fields.tsx";
import { local } from "../../ui/text.ts";
import { cachedRange } from "./cachedRange.ts";
import { parseRange, type TypedRange as Typed } from "./parse.ts";
import { presets } from "./presets.ts";
import classes from "./range.module.css";
import { RangeDays } from "./RangeDays.tsx";
import { lengthText, momentText, rangeText } from "./words.ts";

interface RangeFormProps {
  readonly range: TimeRange;
  readonly onChange: (range: TimeRange) => void;
  readonly onClose: () => void;
}

/** A range by name, by typing both ends, or by days. Days and clock show what is typed, before it is chosen. */
export function RangeForm({ range, onChange, onClose }: RangeFormProps) {
  const connectionId = useConnectionId();
  const hasStations = useWorkspace((s) => s.stationIds.length > 0);
  const showLocal = useSettings((s) => s.settings.localTime);
  const typing = useTyping(range);
  const meant = typing.typed.ok ? typing.typed.range : range;
  const choose = (next: TimeRange): void => {
    onChange(next);
    onClose();
  };
  const chooseCached = async (): Promise<void> => {
    const cached = await cachedRange(connectionId);
    if (cached) choose(cached);
  };
  return (
    <>
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
          <TypedRange {...typing} onChoose={choose} />
          <RangeDays range={meant} onChange={onChange} />
        </div>
      </div>
      {showLocal ? (
        <p className={classes["local"]}>
          On this computer’s clock: {local(meant.startMs)} → {local(meant.endMs)}
        </p>
      ) : null}
    </>
  );
}

interface Typing {
  readonly start: string;
  readonly end: string;
  readonly typed: Typed;
  type(part: { readonly start?: string; readonly end?: string }): void;
}

/** What is typed; a range from elsewhere is typed anew. */
function useTyping(range: TimeRange): Typing {
  const written = { start: momentText(range.startMs), end: momentText(range.endMs) };
  const of = `${written.start} ${written.end}`;
  const [kept, keep] = useState({ ...written, of });
  const { start, end } = kept.of === of ? kept : written;
  // "now" in whole minutes, and not before what was just measured.
  const nowMs = Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS;
  return { start, end, typed: parseRange(start, end, nowMs), type: (part) => keep({ start, end, ...part, of }) };
}

function TypedRange({ start, end, typed, type, onChoose }: Typing & { readonly onChoose: (range: TimeRange) => void }) {
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
        <TextField
          label="Start, UTC"
          value={start}
          onChange={(text) => type({ start: text })}
          problem={problemOf("start")}
          autoFocus
        />
        <TextField
          label="End, UTC (not included)"
          value={end}
          onChange={(text) => type({ end: text })}
          problem={problemOf("end")}
        />
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
