import { useEffect, useState } from "react";
import type { LogLevel, LogLine } from "#shared/bridge/methods/log.ts";
import { bridge } from "../../bridge/index.ts";
import { closeDialog } from "../../stores/dialogs.ts";
import { Button } from "../../ui/Button.tsx";
import { Segments } from "../../ui/choices.tsx";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { DialogActions } from "../../ui/Dialog.tsx";
import classes from "./dialogs.module.css";

const MOST = 1_000;

interface Shown {
  readonly path: string;
  readonly lines: readonly LogLine[];
}

/** The newest lines of the log, as they were when it was opened. */
export function Log() {
  const [level, setLevel] = useState<LogLevel>("info");
  const [shown, setShown] = useState<Shown | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    let isWanted = true;
    const read = async (): Promise<void> => {
      const answer = await bridge.log.read({ level, most: MOST });
      if (!isWanted) return;
      setProblem(answer.ok ? null : answer.error.message);
      if (answer.ok) setShown(answer.value);
    };
    void read();
    return () => void (isWanted = false);
  }, [level]);
  const texts = (shown?.lines ?? []).map(({ time, level: of, source, text }) => `${time} ${of} ${source} ${text}`);
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
        {texts.length === 0 ? "Nothing of this kind is in the log." : texts.map(unfolded).join("\n")}
      </div>
      <DialogActions>
        <CopyButton text={() => texts.join("\n")}>Copy</CopyButton>
        <Button onPress={closeDialog}>Close</Button>
      </DialogActions>
    </>
  );
}

/** With the breaks that the file writes as two signs. */
function unfolded(line: string): string {
  return line.replaceAll("\\n", "\n    ");
}
