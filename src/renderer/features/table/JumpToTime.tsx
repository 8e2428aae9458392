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
    if (momentMs <= startMs) return onRow(0);
    if (momentMs >= endMs) return onRow(rows - 1);
    // As many rows as there are from then on stand behind the one that is looked for.
    const range = { startMs: momentMs, endMs };
    const answer = await source.page(range, 0, 1, null);
    if (!answer.ok) return showFault(answer.error);
    onRow(Math.min(rows - 1, rows - answer.value.total));
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
        label="Time to go to, UTC"
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
