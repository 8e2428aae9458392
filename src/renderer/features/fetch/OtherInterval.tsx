import { useState } from "react";
import { Form } from "react-aria-components";
import { useWorkspace } from "../../stores/workspace.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog, DialogActions } from "../../ui/Dialog.tsx";
import { TextField } from "../../ui/fields.tsx";
import classes from "./fetch.module.css";
import { intervalWords, parseInterval } from "./intervals.ts";

interface OtherIntervalProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Asks for an interval that the list does not offer. */
export function OtherInterval({ isOpen, onClose }: OtherIntervalProps) {
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
      className={classes["form"]!}
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
