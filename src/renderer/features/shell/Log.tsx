import { useEffect, useState } from "react";
import type { LogLevel, LogLine } from "#shared/logLine.ts";
import { bridge } from "../../bridge/index.ts";
import { closeDialog } from "../../stores/dialogs.ts";
import { Button } from "../../ui/Button.tsx";
import { Segments } from "../../ui/choices.tsx";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { DialogActions } from "../../ui/Dialog.tsx";
import classes from "./dialogs.module.css";

const MAX_LINES = 1_000;

interface Shown {
  readonly path: string;
  readonly lines: readonly LogLine[];
}

/** The newest lines of the log at the time the dialog was opened. */
export function Log() {
  const [level, setLevel] = useState<LogLevel>("info");
  const [shown, setShown] = useState<Shown | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    let isUnmounted = false;
    const read = async (): Promise<void> => {
      const answer = await bridge.log.read({ level, most: MAX_LINES });
      if (isUnmounted) return;
      setProblem(answer.ok ? null : answer.error.message);
      if (answer.ok) setShown(answer.value);
    };
    void read();
    return () => void (isUnmounted = true);
  }, [level]);
  const texts = (shown?.lines ?? []).map((line) => `${line.time} ${line.level} ${line.source} ${line.text}`);
  return (
    <>
      <p className={classes["quiet"]}>
        Starts, ends and failures; times in UTC. The log contains no API key.
        {shown === null ? null : <> The file is {shown.path}.</>}
      </p>
      <Segments
        label="Lines shown"
        value={level}
        onChange={setLevel}
        choices={[
          { value: "error", label: "Errors" },
          { value: "warn", label: "Warnings too" },
          { value: "info", label: "All" },
        ]}
      />
      {problem === null ? null : <p role="alert">{problem}</p>}
      <div
        ref={(box) => box?.scrollTo(0, box.scrollHeight)}
        className={classes["licences"]}
        role="region"
        aria-label="Lines of the log"
        tabIndex={0}
      >
        {texts.length === 0 ? "The log contains no such lines." : texts.map(withLineBreaks).join("\n")}
      </div>
      <DialogActions>
        <CopyButton text={() => texts.join("\n")}>Copy</CopyButton>
        <Button onPress={closeDialog}>Close</Button>
      </DialogActions>
    </>
  );
}

/** Restores the line breaks that the log file escapes as `\n`. */
function withLineBreaks(line: string): string {
  return line.replaceAll("\\n", "\n    ");
}
