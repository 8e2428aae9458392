import { X } from "lucide-react";
import { memo, type ReactNode, useState } from "react";
import {
  type Annotations,
  annotationsSchema,
  thresholdWords,
  withNote,
  withThreshold,
} from "#shared/plot/annotations.ts";
import type { PanelModel, PanelQuantity } from "#shared/plot/panel.ts";
import { quantityTitle } from "#shared/plot/values.ts";
import { parseMoment } from "#shared/time/typed.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { useCommand } from "../../stores/commands.ts";
import { openDialog } from "../../stores/dialogs.ts";
import { Button, IconButton } from "../../ui/Button.tsx";
import { Select } from "../../ui/choices.tsx";
import { DialogActions, WindowDialog, CloseButton } from "../../ui/Dialog.tsx";
import { Form, TextField } from "../../ui/fields.tsx";
import { parseNumber } from "../../ui/NumberField.tsx";
import { utc } from "../../ui/text.ts";
import type { Stage } from "../../plot/stage.ts";
import type { Axis } from "./PlotOptions.tsx";
import classes from "./series.module.css";
import { pane, usePane } from "../../stores/pane.ts";
import { showToast } from "../../stores/toasts.ts";
import { useWorkspace } from "../../stores/workspace.ts";

/** The thresholds and notes of the plot. */
export const ANNOTATIONS = pane("series.annotations", annotationsSchema);

/** Adds the annotations to the panels: each gets its own thresholds and all notes. */
export function withAnnotations(
  models: readonly PanelModel[],
  { thresholds, notes }: Annotations,
): readonly PanelModel[] {
  if (thresholds.length === 0 && notes.length === 0) return models;
  return models.map((model) => ({
    ...model,
    annotations: { thresholds: thresholds.filter(({ key }) => key === model.quantity.key), notes },
  }));
}

interface AnnotationsDialogProps {
  readonly axes: readonly Axis[];
  readonly stage: Stage;
}

/** The dialog that adds and removes thresholds and notes. */
export const AnnotationsDialog = memo(function AnnotationsDialog({ axes, stage }: AnnotationsDialogProps) {
  useCommand("annotate", () => {
    const { startMs, endMs } = stage.view();
    openDialog({ kind: "annotations", atMs: (startMs + endMs) / 2 });
  });
  const quantities = axes.map(({ quantity }) => quantity);
  return (
    <WindowDialog kind="annotations" title="Thresholds and notes">
      {({ atMs }) => <AnnotationsForm quantities={quantities} atMs={atMs} />}
    </WindowDialog>
  );
});

interface AnnotationsFormProps {
  readonly quantities: readonly PanelQuantity[];
  /** The moment that a new note has at first. */
  readonly atMs: UtcMs;
}

function AnnotationsForm({ quantities, atMs }: AnnotationsFormProps) {
  const [annotations, change] = usePane(ANNOTATIONS);
  const { thresholds, notes } = annotations;
  const titleOf = (key: string): string => {
    const quantity = quantities.find((q) => q.key === key);
    return quantity ? quantityTitle(quantity) : key;
  };
  return (
    <>
      <NoteForm atMs={atMs} onAdd={(note) => change(withNote(annotations, note))} />
      <ThresholdForm quantities={quantities} onAdd={(one) => change(withThreshold(annotations, one))} />
      <ul
        hidden={thresholds.length + notes.length === 0}
        className={`${classes["annotations"]} scroll max-h-[200px] list-none`}
        aria-label="Thresholds and notes of this view"
      >
        {thresholds.map((one, i) => (
          <Item
            key={`threshold ${i}`}
            text={`${titleOf(one.key)}: ${thresholdWords(one)}`}
            onRemove={() => change({ ...annotations, thresholds: thresholds.toSpliced(i, 1) })}
            onUndo={(now) => withThreshold(now, one)}
          />
        ))}
        {notes.map((one, i) => (
          <Item
            key={`note ${i}`}
            text={`${utc(one.atMs)} UTC ${one.text}`}
            onRemove={() => change({ ...annotations, notes: notes.toSpliced(i, 1) })}
            onUndo={(now) => withNote(now, one)}
          />
        ))}
      </ul>
      <DialogActions>
        <CloseButton>Close</CloseButton>
      </DialogActions>
    </>
  );
}

interface ItemProps {
  readonly text: string;
  readonly onRemove: () => void;
  /** Returns the annotations with this one again. */
  readonly onUndo: (now: Annotations) => Annotations;
}

function Item({ text, onRemove, onUndo }: ItemProps) {
  const undo = (): void => ANNOTATIONS.set(onUndo(ANNOTATIONS.of(useWorkspace.getState())));
  const remove = (): void => {
    onRemove();
    showToast(`“${text}” was removed.`, { label: "Undo", run: undo });
  };
  return (
    <li>
      <span>{text}</span>
      <IconButton label={`Remove ${text}`} onPress={remove} icon={X} />
    </li>
  );
}

interface AddingProps {
  readonly what: string;
  readonly onAdd: () => void;
  readonly children: ReactNode;
}

function Adding({ what, onAdd, children }: AddingProps) {
  return (
    <Form className="flex flex-wrap items-end gap-2" onSubmit={onAdd}>
      {children}
      <Button type="submit" aria-label={`Add ${what}`}>
        Add
      </Button>
    </Form>
  );
}

function NoteForm({
  atMs,
  onAdd,
}: {
  readonly atMs: UtcMs;
  readonly onAdd: (note: Annotations["notes"][number]) => void;
}) {
  const [moment, setMoment] = useState(utc(atMs));
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const add = (): void => {
    const parsedMs = parseMoment(moment, Date.now());
    setProblem(parsedMs === null ? "Type a moment, such as 2026-11-14 08:00." : null);
    if (parsedMs === null) return;
    onAdd({ atMs: parsedMs, text: text.trim() });
    setText("");
  };
  return (
    <Adding what="the note" onAdd={add}>
      <TextField label="Note" value={text} onChange={setText} autoFocus placeholder="Receiver changed" />
      <TextField label="At, UTC" value={moment} onChange={setMoment} problem={problem} />
    </Adding>
  );
}

interface ThresholdFormProps {
  readonly quantities: readonly PanelQuantity[];
  readonly onAdd: (threshold: Annotations["thresholds"][number]) => void;
}

function ThresholdForm({ quantities, onAdd }: ThresholdFormProps) {
  const [chosen, setChosen] = useState<string | null>(null);
  const [value, setValue] = useState("");
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const key = chosen ?? quantities[0]?.key;
  if (key === undefined) return null;
  const add = (): void => {
    const number = parseNumber(value);
    setProblem(number === null ? "Type a number." : null);
    if (number === null) return;
    onAdd({ key, value: number, text: text.trim() });
    setValue("");
    setText("");
  };
  return (
    <Adding what="the threshold" onAdd={add}>
      <TextField label="Threshold" value={text} onChange={setText} placeholder="Name, if any" />
      <Select
        label="Quantity"
        showLabel
        choices={quantities.map((q) => ({ value: q.key, label: quantityTitle(q) }))}
        value={key}
        onChange={setChosen}
      />
      <TextField label="Value" value={value} onChange={setValue} problem={problem} />
    </Adding>
  );
}
