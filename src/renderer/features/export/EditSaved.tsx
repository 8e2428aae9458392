import { useState } from "react";
import { type SavedExport, savedExportName, rangeOfSaved } from "#shared/file/savedExport.ts";
import { templateProblem } from "#shared/file/template.ts";
import { failure, success } from "#shared/service/error.ts";
import { usageFault } from "#shared/fault.ts";
import { useCall } from "../../ask/useCall.ts";
import { useCapabilities } from "../../stores/capabilities.ts";
import { useCatalogue } from "../../stores/catalogue.ts";
import { useNowMs } from "../../stores/clock.ts";
import { readModeOf, shownVariables } from "../../stores/selection.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { Button } from "../../ui/Button.tsx";
import { Checkbox, Select } from "../../ui/choices.tsx";
import { Form, TextField } from "../../ui/fields.tsx";
import { NoWrapParts } from "../../ui/layout.tsx";
import { selectionWords, stationWords } from "../jobs/labels.ts";
import classes from "./export.module.css";
import { choicesOf, fileChoices, FileOptions, FormatChoice } from "./FileOptions.tsx";
import { NameTemplate } from "./NameTemplate.tsx";
import { rangeChoices, rangeKey } from "./ranges.ts";
import { changeSaved, fileNameNow, saveExport, useSavedExports } from "./saved.ts";
import { NAME_PROBLEM } from "./formats.ts";
import { rememberTemplate } from "./startExport.ts";
import { fieldsOf } from "../../ui/fieldsOf.ts";

interface EditSavedProps {
  /** Name under which the export is saved; null for a new one, which may replace another. */
  readonly name: string | null;
  readonly saved: SavedExport;
  readonly onDone: () => void;
}

/** The form of a saved export: name, data, range, format and file name. */
export function EditSaved({ name, saved, onDone }: EditSavedProps) {
  const nowMs = useNowMs();
  const byId = useCatalogue((s) => s.byId);
  const { fileDialogs } = useCapabilities();
  const [draft, setDraft] = useState(saved);
  const { fault, run, clearFault } = useCall();
  const isTaken = useSavedExports().some((one) => one.name === draft.name.trim() && one.name !== name);
  const hasSelection = useWorkspace((s) => s.stationIds.length > 0);
  const change = (part: Partial<SavedExport>): void => {
    setDraft({ ...draft, ...part });
    clearFault();
  };
  const field = fieldsOf(draft, change);
  const isName = savedExportName.safeParse(draft.name).success;
  const template = templateProblem(draft.template);
  const choices = fileChoices(draft, draft.heightReference);
  const edited: SavedExport = { ...draft, ...choicesOf(draft.format, choices), name: draft.name.trim() };
  const replaces = name === null && isTaken;
  const isUsable = isName && (replaces || !isTaken) && template === null;
  const submit = async (): Promise<void> => {
    const answer = await run(() => (name === null ? saveExport(edited) : changeSaved(saved, edited)));
    if (!answer.ok) return;
    if (name === null) rememberTemplate(edited.template);
    onDone();
  };
  const takeSelection = (): void => {
    const chosen = useWorkspace.getState();
    change({ ...readModeOf(chosen), stationIds: chosen.stationIds, variables: shownVariables(chosen) });
  };
  return (
    <Form
      className="stack gap-3 min-w-0"
      onSubmit={submit}
      action={{ label: replaces ? "Replace" : "Save", isDisabled: !isUsable }}
    >
      <div className={classes["note"]} data-quiet>
        <p>
          <strong>{stationWords(byId, draft.stationIds)}</strong>
          <br />
          <span className="text-quiet wrap-anywhere">
            <NoWrapParts text={selectionWords({ ...draft, range: rangeOfSaved(draft, nowMs) })} separator=" · " />
          </span>
        </p>
        <Button isDisabled={!hasSelection} onPress={takeSelection}>
          Use the current selection
        </Button>
      </div>
      <div className="flex flex-wrap gap-6 *:first:flex-[2_1_260px] *:last:flex-[3_1_320px]">
        <FormatChoice takesFolders={fileDialogs} {...field("format")} />
        <div className="stack gap-3 min-w-0">
          <TextField
            label="Name"
            {...field("name")}
            problem={fault?.message ?? nameProblem(draft.name, isName, isTaken && !replaces)}
            hint={replaces ? REPLACES : name === null ? null : RENAMES}
            autoFocus
            autoComplete="off"
          />
          <RangeField draft={draft} onChange={change} />
          <NameTemplate
            {...field("template")}
            name={
              template === null
                ? success(fileNameNow({ ...edited, name: edited.name || "Name" }, nowMs))
                : failure(usageFault(template))
            }
          />
          <FileOptions format={draft.format} choices={choices} onChange={change} />
          <Checkbox value={draft.figure ?? false} onChange={(figure) => change({ figure })}>
            Also save a figure of the series
          </Checkbox>
        </div>
      </div>
    </Form>
  );
}

const REPLACES = "An export with this name exists and will be replaced. You can undo that.";
const RENAMES = "If you rename it, commands with the earlier name no longer find it.";

function nameProblem(name: string, isName: boolean, isTaken: boolean): string | null {
  if (isTaken) return "Another saved export has this name.";
  return name.trim() !== "" && !isName ? NAME_PROBLEM : null;
}

interface RangeProps {
  readonly draft: SavedExport;
  readonly onChange: (part: Partial<SavedExport>) => void;
}

/** The range of each repetition: what it was, the range of the views, or one that moves with the clock. */
function RangeField({ draft, onChange }: RangeProps) {
  const range = useWorkspace((s) => s.range);
  const moving = useWorkspace((s) => s.moving);
  const choices = rangeChoices({ range, moving }, draft.range);
  return (
    <Select
      label="Time range of each repetition"
      showLabel
      choices={choices}
      value={rangeKey(draft.range)}
      onChange={(value) => onChange({ range: choices.find((c) => c.value === value)?.range ?? draft.range })}
    />
  );
}
