import { useState } from "react";
import { canAverage, useSelectionWithoutStations } from "../../stores/selection.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { Segments, Select } from "../../ui/choices.tsx";
import { showInterval } from "./averages.ts";
import { intervalChoices, intervalKey, intervalOf, OTHER_INTERVAL, intervalWords, parseInterval } from "./intervals.ts";
import { Form } from "react-aria-components";
import { Button } from "../../ui/Button.tsx";
import { Dialog, DialogActions } from "../../ui/Dialog.tsx";
import { TextField } from "../../ui/fields.tsx";
import classes from "./fetch.module.css";

const QUALITY = [
  { value: "filtered", label: "Filtered" },
  { value: "raw", label: "Raw" },
] as const;
const AVERAGED = [
  { value: "service", label: "Averaged by the service" },
  { value: "here", label: "Averaged here", detail: "from cached observations" },
] as const;

/** Sets interval, quality filter and where averages are computed. */
export function ModeControls() {
  const { intervalSeconds, raw, resampled, variables } = useSelectionWithoutStations();
  const [isOtherOpen, setOtherOpen] = useState(false);
  return (
    <>
      <OtherInterval isOpen={isOtherOpen} onClose={() => setOtherOpen(false)} />
      <Select
        label="Interval"
        choices={intervalChoices(intervalSeconds)}
        value={intervalKey(intervalSeconds)}
        onChange={(key) => {
          if (key === OTHER_INTERVAL) setOtherOpen(true);
          else void showInterval(intervalOf(key));
        }}
      />
      {intervalSeconds !== null && canAverage(variables) ? (
        <Select
          label="Averaged"
          choices={AVERAGED}
          value={resampled ? "here" : "service"}
          onChange={(by) => useWorkspace.setState({ resampled: by === "here" })}
        />
      ) : null}
      <Segments
        label="Quality filter of the service"
        choices={QUALITY}
        value={raw ? "raw" : "filtered"}
        onChange={(quality) => useWorkspace.setState({ raw: quality === "raw" })}
      />
    </>
  );
}

interface OtherIntervalProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** A dialog for an interval that is not in the list. */
function OtherInterval({ isOpen, onClose }: OtherIntervalProps) {
  return (
    <Dialog title="Interval of the means" isOpen={isOpen} onClose={onClose}>
      <IntervalForm onClose={onClose} />
    </Dialog>
  );
}

function IntervalForm({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState("");
  const intervalSeconds = parseInterval(text);
  return (
    <Form
      className={classes["form"]}
      onSubmit={(event) => {
        event.preventDefault();
        if (intervalSeconds === null) return;
        useWorkspace.setState({ intervalSeconds });
        onClose();
      }}
    >
      <TextField
        label="Interval"
        autoFocus
        value={text}
        onChange={setText}
        hint="For example 10 min, 90 s or 2 h; at least 30 s."
        problem={text !== "" && intervalSeconds === null ? "Type an interval like 10 min, of at least 30 s." : null}
      />
      <DialogActions>
        <Button onPress={onClose}>Cancel</Button>
        <Button type="submit" look="primary" isDisabled={intervalSeconds === null}>
          {intervalSeconds === null ? "Show" : `Show ${intervalWords(intervalSeconds)}`}
        </Button>
      </DialogActions>
    </Form>
  );
}
