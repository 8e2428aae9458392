import { useState } from "react";
import {
  ARRAY_FORMATS,
  DETAILED_FORMATS,
  type ExportFormat,
  type FileLayout,
  type StationDetails,
  TABLE_FORMATS,
} from "#shared/file/export.ts";
import type { HeightReference } from "#shared/service/catalogue.ts";
import { useCapabilities } from "../../stores/capabilities.ts";
import { useCatalogue } from "../../stores/catalogue.ts";
import { useConnectionId } from "../../stores/connection.ts";
import { jobSpecOf, readModeOf, shownVariables, useChosen } from "../../stores/selection.ts";
import { useSettings } from "../../stores/settings.ts";
import { Button } from "../../ui/Button.tsx";
import { Select, Switch } from "../../ui/choices.tsx";
import { DialogActions } from "../../ui/Dialog.tsx";
import { FaultNote } from "../../ui/notes.tsx";
import { Pieces } from "../../ui/Pieces.tsx";
import { startFetch } from "../fetch/startFetch.ts";
import { selectionWords, stationWords } from "../jobs/words.ts";
import classes from "./export.module.css";
import { CopyAs } from "./CopyAs.tsx";
import { Estimate } from "./Estimate.tsx";
import { FormatChoice } from "./FormatChoice.tsx";
import { NameTemplate } from "./NameTemplate.tsx";
import type { Draft } from "./SaveForm.tsx";
import { startExport } from "./startExport.ts";
import { type Selection, useForecast } from "./useForecast.ts";
import { useTemplateName } from "./useTemplateName.ts";

const HEIGHTS = [
  { value: "WGS84_ELLIPSOID", label: "Above the WGS 84 ellipsoid" },
  { value: "EGM2008", label: "Above mean sea level (EGM2008)" },
] as const;

const DETAILS = [
  { value: "name", label: "Name beside the id" },
  { value: "columns", label: "Name, latitude, longitude and height in columns" },
  { value: "file", label: "Name; all else in a second file of stations" },
] as const;

const LAYOUTS = [
  { value: "grid", label: "Grid: one time axis for all stations" },
  { value: "ragged", label: "Ragged: the rows of one station after another" },
] as const;

interface ExportFormProps {
  /** What was set before, where this is come back to. */
  readonly before: Draft | null;
  readonly onClose: () => void;
  /** What is set here is to be saved under a name. */
  readonly onSave: (draft: Draft) => void;
}

/** The selection as a file: what it would be, before it is written. */
export function ExportForm({ before, onClose, onSave }: ExportFormProps) {
  const connectionId = useConnectionId();
  const capabilities = useCapabilities();
  const byId = useCatalogue((s) => s.byId);
  const chosen = useChosen();
  const settings = useSettings((s) => s.settings);
  const [format, setFormat] = useState<ExportFormat>(before?.format ?? "netcdf");
  const [heightReference, setHeightReference] = useState<HeightReference>(
    before?.heightReference ?? settings.heightReference,
  );
  const [stationDetails, setStationDetails] = useState<StationDetails>(before?.stationDetails ?? "name");
  const [emptyRows, setEmptyRows] = useState(before?.emptyRows ?? false);
  const [layout, setLayout] = useState<FileLayout>(before?.layout ?? "grid");
  const [template, setTemplate] = useState(before?.template ?? settings.exportTemplate);
  const { stationIds, range } = chosen;
  const variables = shownVariables(chosen);
  const request: Selection = {
    ...readModeOf(chosen),
    stationIds,
    variables,
    range,
    format,
    heightReference,
    ...(ARRAY_FORMATS.has(format) ? { layout } : {}),
    ...(DETAILED_FORMATS.has(format) ? { stationDetails } : {}),
    ...(TABLE_FORMATS.has(format) ? { emptyRows } : {}),
  };
  const { forecast, fault, isOld } = useForecast(connectionId, request, template);
  const name = useTemplateName(template, request);
  const start = async (): Promise<void> => {
    if (forecast && !isOld && name.ok && (await startExport(connectionId, request, template, forecast, capabilities)))
      onClose();
  };
  const incomplete = forecast?.incompleteStationIds ?? [];
  return (
    <>
      <p>
        <strong>{stationWords(byId, stationIds)}</strong>
        <br />
        <span className={classes["said"]}>
          <Pieces text={selectionWords(request)} between=" · " />
        </span>
      </p>
      <div className={classes["columns"]}>
        <FormatChoice value={format} takesFolders={capabilities.fileDialogs} onChange={setFormat} />
        <div className={classes["column"]}>
          <NameTemplate value={template} onChange={setTemplate} name={name} />
          <Select
            label="Heights of the stations"
            showLabel
            choices={HEIGHTS}
            value={heightReference}
            onChange={setHeightReference}
          />
          {ARRAY_FORMATS.has(format) ? (
            <Select label="Layout" showLabel choices={LAYOUTS} value={layout} onChange={setLayout} />
          ) : null}
          {DETAILED_FORMATS.has(format) ? (
            <Select
              label="Stations in the table"
              showLabel
              choices={DETAILS}
              value={stationDetails}
              onChange={setStationDetails}
            />
          ) : null}
          {TABLE_FORMATS.has(format) ? (
            <Switch isSelected={emptyRows} onChange={setEmptyRows}>
              Keep rows without any value
            </Switch>
          ) : null}
          {fault ? <FaultNote fault={fault} /> : null}
          {forecast && name.ok ? <Estimate forecast={forecast} /> : null}
        </div>
      </div>
      {incomplete.length > 0 ? (
        <div className={classes["note"]}>
          <p>
            The cache is incomplete, or may still change, for {stationWords(byId, incomplete)}. The file will say so.
          </p>
          <Button onPress={() => void startFetch(connectionId, jobSpecOf(chosen), false)}>Fetch them first</Button>
        </div>
      ) : null}
      <DialogActions>
        <span className={classes["atStart"]}>
          <Button isDisabled={!name.ok} onPress={() => onSave({ ...request, connectionId, template })}>
            Save to repeat…
          </Button>
          <CopyAs
            request={request}
            paths={isOld || !forecast ? [] : forecast.fileNames.filter((file) => !file.endsWith(".json"))}
            filesOnly={!capabilities.fileDialogs}
            command={forecast?.command ?? null}
          />
        </span>
        <Button onPress={onClose}>Cancel</Button>
        <Button
          look="primary"
          autoFocus
          // Counting, it cannot be pressed but holds the focus: E and Enter are a file.
          isPending={isOld && name.ok}
          isDisabled={!name.ok || (forecast ? forecast.rows === 0 : fault !== null)}
          onPress={() => void start()}
        >
          {forecast?.rows === 0
            ? "Nothing cached to export"
            : capabilities.fileDialogs
              ? "Save…"
              : "Write and download"}
        </Button>
      </DialogActions>
    </>
  );
}
