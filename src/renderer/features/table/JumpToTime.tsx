import { useState } from "react";
import { parseMoment } from "#shared/time/typed.ts";
import { showFault } from "../../stores/toasts.ts";
import { utcMinutes } from "../../ui/text.ts";
import { TextField } from "../../ui/fields.tsx";
import { Button } from "../../ui/Button.tsx";

import classes from "./table.module.css";
import type { RowSource } from "./source.ts";

interface JumpProps {
  readonly source: RowSource;
  readonly rows: number;
  readonly onRow: (row: number) => void;
}

/** Goes to the first row at or after a time that is typed. */
export function JumpToTime({ source, rows, onRow }: JumpProps) {
  const [text, setText] = useState("");
  const [isWrong, setWrong] = useState(false);
  const { startMs, endMs } = source.range;
  const jump = async (): Promise<void> => {
    const momentMs = parseMoment(text, Date.now());
    setWrong(momentMs === null);
    if (momentMs === null || rows === 0) return;
    const within = Math.min(endMs - 1, Math.max(startMs, momentMs));
    const answer = await source.rowAt(within);
    if (!answer.ok) return showFault(answer.error);
    onRow(answer.value);
  };
  return (
    <form
      className={classes["jump"]}
      onSubmit={(event) => {
        event.preventDefault();
        void jump();
      }}
    >
      <TextField
        label="Go to time, UTC"
        isLabelHidden
        value={text}
        onChange={setText}
        placeholder={utcMinutes(startMs)}
        problem={isWrong ? "A time looks like 2026-11-14 08:30." : null}
      />
      <Button type="submit">Go</Button>
    </form>
  );
}
