import type { ReadMode } from "#shared/bridge/methods/schemas.ts";
import { beginningIn } from "#shared/time/intervals.ts";
import { isEmpty, type TimeRange } from "#shared/time/range.ts";
import { useState } from "react";
import { MOSTLY_EMPTY } from "#shared/file/export.ts";
import type { ExportFormat } from "#shared/file/formats.ts";
import { downloadFor, type SavedExport } from "#shared/file/savedExport.ts";
import type { ExportForecast } from "#shared/bridge/methods/export.ts";
import type { Estimate as FetchCost } from "#shared/job/job.ts";
import { useCapabilities } from "../../stores/capabilities.ts";
import { useCatalogue } from "../../stores/catalogue.ts";
import { useConnectionId, useIsOffline } from "../../stores/connection.ts";
import { readModeOf, shownVariables, useSelection } from "../../stores/selection.ts";
import { openDialog } from "../../stores/dialogs.ts";
import { useSettings } from "../../stores/settings.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { Button } from "../../ui/Button.tsx";
import { DialogActions, useClose, CloseButton } from "../../ui/Dialog.tsx";
import { FaultNote } from "../../ui/notes.tsx";
import { NoWrapParts } from "../../ui/layout.tsx";
import { newSchedule } from "../schedules/draft.ts";
import { useCost } from "../fetch/useEstimate.ts";
import { fetchWords, knownWords } from "../fetch/labels.ts";
import { selectionWords, stationWords } from "../jobs/labels.ts";
import { bytes, count, many } from "../../ui/text.ts";
import classes from "./export.module.css";
import { CopyAs } from "./CopyAs.tsx";
import { choicesOf, fileChoices, FileOptions, FormatChoice } from "./FileOptions.tsx";
import { NameTemplate } from "./NameTemplate.tsx";
import { proposedRange } from "./ranges.ts";
import { type Selection, startExport, useForecast, useTemplateName } from "./startExport.ts";

/** The range of the rows that the views show: an export of a range that begins within an interval has one row more. */
function rowRange(range: TimeRange, mode: ReadMode): TimeRange {
  const whole = beginningIn(range, mode);
  return isEmpty(whole) ? range : whole;
}

/** The selection, and the file that the user chooses for it. */
function useDraft(previous: SavedExport | null) {
  const chosen = useSelection();
  const settings = useSettings((s) => s.settings);
  const [format, setFormat] = useState<ExportFormat>(previous?.format ?? "netcdf");
  const [choices, setChoices] = useState(() => fileChoices(previous, settings.heightReference));
  const [template, setTemplate] = useState(previous?.template ?? settings.exportTemplate);
  const mode = readModeOf(chosen);
  const file = { format, ...choicesOf(format, choices) };
  const range = rowRange(chosen.range, mode);
  const request: Selection = {
    ...mode,
    stationIds: chosen.stationIds,
    variables: shownVariables(chosen),
    range,
    ...file,
  };
  return { file, setFormat, choices, setChoices, template, setTemplate, request };
}

/** The form that exports the selection, with an estimate of the file. @param previous settings to restore when the user returns to it */
export function ExportForm({ previous }: { readonly previous: SavedExport | null }) {
  const close = useClose();
  const connectionId = useConnectionId();
  const { fileDialogs } = useCapabilities();
  const byId = useCatalogue((s) => s.byId);
  const { file, setFormat, choices, setChoices, template, setTemplate, request } = useDraft(previous);
  const { format } = file;
  const { forecast, fault, isOld } = useForecast(connectionId, request, template);
  const name = useTemplateName(template, request);
  const cost = useCost(downloadFor(request));
  const isOffline = useIsOffline();
  const start = async (fetchesFirst: boolean): Promise<void> => {
    if (!forecast || isOld || !name.ok) return;
    const { suggestedName } = forecast;
    await startExport({ connectionId, request, template, suggestedName, fetchesFirst }, close);
  };
  const incompleteIds = forecast?.incompleteStationIds ?? [];
  const offeredCost = incompleteIds.length > 0 ? cost : null;
  // While rows are counted the button is inactive but keeps the focus, so that E and Enter export.
  const isPending = isOld && name.ok;
  const isEmptyFile = forecast?.rows === 0;
  const writes = fileDialogs ? "Save…" : "Write and download";
  const actions = {
    write: {
      isPending,
      isDisabled: !name.ok || (forecast ? isEmptyFile : fault !== null),
      onPress: () => void start(false),
      children: isEmptyFile ? "Nothing cached to export" : writes,
    },
    fetch: {
      isPending,
      isDisabled: !name.ok,
      onPress: () => void start(true),
      children: isOffline ? "Fetch when online, then export" : "Fetch and export",
    },
  };
  const save = (): void => {
    const range = proposedRange({ range: request.range, moving: useWorkspace.getState().moving });
    openDialog({
      kind: "export",
      page: "edit",
      name: null,
      saved: { ...request, connectionId, template, name: "", range },
    });
  };
  return (
    <>
      <p>
        <strong>{stationWords(byId, request.stationIds)}</strong>
        <br />
        <span className="text-quiet wrap-anywhere">
          <NoWrapParts text={selectionWords(request)} separator=" · " />
        </span>
      </p>
      <div className="flex flex-wrap gap-6 *:first:flex-[2_1_260px] *:last:flex-[3_1_320px]">
        <FormatChoice value={format} takesFolders={fileDialogs} onChange={setFormat} />
        <div className="stack gap-3 min-w-0">
          <NameTemplate value={template} onChange={setTemplate} name={name} />
          <FileOptions format={format} choices={choices} onChange={(part) => setChoices({ ...choices, ...part })} />
          {fault ? <FaultNote fault={fault} /> : null}
          {forecast && name.ok ? <Estimate forecast={forecast} /> : null}
        </div>
      </div>
      {incompleteIds.length > 0 ? <Incomplete stationIds={incompleteIds} cost={offeredCost} /> : null}
      <DialogActions>
        <span className="flex gap-2 mr-auto">
          <Button isDisabled={!name.ok} onPress={save}>
            Save this export…
          </Button>
          <Button
            isDisabled={!name.ok}
            onPress={() => {
              close();
              newSchedule([{ kind: "own", ...file, template }]);
            }}
          >
            Schedule…
          </Button>
          <CopyAs
            request={request}
            paths={isOld || !forecast ? [] : forecast.fileNames.filter((file) => !file.endsWith(".json"))}
            filesOnly={!fileDialogs}
            command={forecast?.command ?? null}
          />
        </span>
        <CloseButton />
        {offeredCost ? <Button {...actions[isOffline ? "fetch" : "write"]} /> : null}
        <Button look="primary" autoFocus {...actions[offeredCost && !isOffline ? "fetch" : "write"]} />
      </DialogActions>
    </>
  );
}

interface IncompleteProps {
  readonly stationIds: readonly string[];
  /** null if nothing can be downloaded. */
  readonly cost: FetchCost | null;
}

/** States that data of stations are not downloaded or may still arrive, and the cost to download them first. */
function Incomplete({ stationIds, cost }: IncompleteProps) {
  const byId = useCatalogue((s) => s.byId);
  const isOffline = useIsOffline();
  return (
    <p className={classes["note"]}>
      {cost ? `${knownWords(cost)}. ` : ""}
      Data are not downloaded, or missing and may still arrive, for {stationWords(byId, stationIds)}. The file will
      state this. {cost ? `${fetchWords(cost, isOffline)} for a complete file.` : ""}
    </p>
  );
}

const MAX_NAMES = 2;

/** The estimated rows and size of the file, and the names of the other files. */
function Estimate({ forecast }: { readonly forecast: ExportForecast }) {
  const others = forecast.fileNames.slice(1).filter((name) => !name.endsWith(".json"));
  const { emptyShare } = forecast;
  const more = others.length - MAX_NAMES;
  return (
    <p className="text-quiet wrap-anywhere" role="status">
      About {many(forecast.rows, "row")} and {bytes(forecast.bytes)}; a description (.json) beside it
      {others.length === 0 ? "." : ", and"}
      {others.slice(0, MAX_NAMES).map((name) => (
        <span key={name} className="block text-ink text-small">
          {name}
        </span>
      ))}
      {more > 0 ? <span className="block text-ink text-small">and {count(more)} more</span> : null}
      {emptyShare !== null && emptyShare > MOSTLY_EMPTY ? (
        <span className="block text-ink text-small">
          {Math.floor(100 * emptyShare)} % of the grid would be empty. A ragged file would be smaller.
        </span>
      ) : null}
    </p>
  );
}
