import { useState } from "react";
import { FORMATS } from "#shared/file/formats.ts";
import { type SavedExport, savedExportName, rangeOfSaved } from "#shared/file/savedExport.ts";
import { useCall } from "../../ask/useCall.ts";
import { useCatalogue } from "../../stores/catalogue.ts";
import { useNowMs } from "../../stores/clock.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { Checkbox, Select } from "../../ui/choices.tsx";
import { Form, TextField } from "../../ui/fields.tsx";
import { NoWrapParts } from "../../ui/layout.tsx";
import { selectionWords, stationWords } from "../jobs/labels.ts";
import { NAME_PROBLEM } from "./formats.ts";
import { proposedRange, rangeChoices, rangeKey } from "./ranges.ts";
import { fileNameNow, saveExport, useSavedExports } from "./saved.ts";
import { rememberTemplate, type Selection } from "./startExport.ts";

/** An export without a name. */
export type Draft = Selection & Pick<SavedExport, "connectionId" | "template">;

interface SaveFormProps {
  readonly draft: Draft;
  readonly onBack: () => void;
  readonly onSaved: () => void;
}

/** The form that saves an export under a name, with a fixed range or one that moves with the clock. */
export function SaveForm({ draft, onBack, onSaved }: SaveFormProps) {
  const nowMs = useNowMs();
  const byId = useCatalogue((s) => s.byId);
  const [name, setName] = useState("");
  const [shown] = useState(() => ({ range: draft.range, moving: useWorkspace.getState().moving }));
  const [range, setRange] = useState(() => proposedRange(shown));
  const [hasFigure, setFigure] = useState(false);
  const { fault, run, clearFault } = useCall();
  const isTaken = useSavedExports().some((one) => one.name === name.trim());
  const isName = savedExportName.safeParse(name).success;
  const saved: SavedExport = { ...draft, variables: draft.variables, name: name.trim(), range, figure: hasFigure };
  const choices = rangeChoices(shown, proposedRange(shown));
  const submit = async (): Promise<void> => {
    if (!(await run(() => saveExport(saved))).ok) return;
    rememberTemplate(draft.template);
    onSaved();
  };
  const change = (value: string): void => {
    setName(value);
    clearFault();
  };
  return (
    <Form
      className="stack gap-3 min-w-0"
      onSubmit={submit}
      action={{ label: isTaken ? "Replace" : "Save", cancelLabel: "Back", onCancel: onBack, isDisabled: !isName }}
    >
      <p>
        <strong>{stationWords(byId, draft.stationIds)}</strong>
        <br />
        <span className="text-quiet wrap-anywhere">
          <NoWrapParts
            text={`${selectionWords({ ...draft, range: rangeOfSaved({ ...draft, range }, nowMs) })} · ${FORMATS[draft.format].name}`}
            separator=" · "
          />
        </span>
      </p>
      <TextField
        label="Name"
        value={name}
        onChange={change}
        problem={fault?.message ?? (name.trim() !== "" && !isName ? NAME_PROBLEM : null)}
        hint={isTaken ? "An export with this name exists and will be replaced. You can undo that." : null}
        autoFocus
        autoComplete="off"
      />
      <Select
        label="Time range of each repetition"
        showLabel
        choices={choices}
        value={rangeKey(range)}
        onChange={(value) => setRange(choices.find((c) => c.value === value)?.range ?? range)}
      />
      <Checkbox isSelected={hasFigure} onChange={setFigure}>
        Also save a figure of the series
      </Checkbox>
      <p className="text-quiet wrap-anywhere">
        Now the file would be
        <span className="block text-ink text-small">
          {fileNameNow({ ...saved, name: saved.name || "Name" }, nowMs)}
        </span>
      </p>
    </Form>
  );
}
