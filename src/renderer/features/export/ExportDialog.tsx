import { useState } from "react";
import { Radio, RadioGroup } from "react-aria-components";
import type { ExportFormat } from "#shared/file/export.ts";
import { EXPORT_FORMATS } from "#shared/file/export.ts";
import type { HeightReference } from "#shared/service/catalogue.ts";
import { useCapabilities } from "../../stores/capabilities.ts";
import { useCatalogue } from "../../stores/catalogue.ts";
import { useConnectionId } from "../../stores/connection.ts";
import { jobSpecOf, readModeOf, shownVariables, useChosen } from "../../stores/selection.ts";
import { useSettings } from "../../stores/settings.ts";
import { Button } from "../../ui/Button.tsx";
import { Select } from "../../ui/choices.tsx";
import { Dialog, DialogActions } from "../../ui/Dialog.tsx";
import { FaultNote } from "../../ui/notes.tsx";
import { bytes, many } from "../../ui/text.ts";
import { startFetch } from "../fetch/startFetch.ts";
import { selectionWords, stationWords } from "../jobs/words.ts";
import classes from "./export.module.css";
import { EXPORT_WORDS } from "./formats.ts";
import { startExport } from "./startExport.ts";
import { type Selection, useForecast } from "./useForecast.ts";

const HEIGHTS = [
  { value: "WGS84_ELLIPSOID", label: "Above the WGS 84 ellipsoid" },
  { value: "EGM2008", label: "Above mean sea level (EGM2008)" },
] as const;

interface ExportDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** The selection as a file: what it would be, before it is written. */
export function ExportDialog({ isOpen, onClose }: ExportDialogProps) {
  return (
    <Dialog title="Export" isOpen={isOpen} onClose={onClose}>
      <ExportForm onClose={onClose} />
    </Dialog>
  );
}

function ExportForm({ onClose }: { readonly onClose: () => void }) {
  const connectionId = useConnectionId();
  const capabilities = useCapabilities();
  const byId = useCatalogue((s) => s.byId);
  const chosen = useChosen();
  const [format, setFormat] = useState<ExportFormat>("netcdf");
  const kept = useSettings((s) => s.settings.heightReference);
  const [heightReference, setHeightReference] = useState<HeightReference>(kept);
  const { stationIds, range } = chosen;
  const variables = shownVariables(chosen);
  const request: Selection = { ...readModeOf(chosen), stationIds, variables, range, format, heightReference };
  const { forecast, fault } = useForecast(connectionId, request);
  const start = async (): Promise<void> => {
    if (forecast && (await startExport(connectionId, request, forecast, capabilities))) onClose();
  };
  const incomplete = forecast?.incompleteStationIds ?? [];
  return (
    <>
      <p>
        <strong>{stationWords(byId, stationIds)}</strong>
        <br />
        <span className={classes["said"]}>{selectionWords(request)}</span>
      </p>
      <RadioGroup
        aria-label="Format"
        aria-describedby="export-use"
        className={classes["formats"]!}
        value={format}
        onChange={(value) => setFormat(value as ExportFormat)}
      >
        {EXPORT_FORMATS.map((id) => (
          <Radio key={id} value={id} className={classes["format"]!}>
            <span className={classes["dot"]} />
            {EXPORT_WORDS[id].name}
          </Radio>
        ))}
      </RadioGroup>
      <p id="export-use" className={classes["use"]}>
        {EXPORT_WORDS[format].use}
      </p>
      <Select
        label="Heights of the stations"
        showLabel
        choices={HEIGHTS}
        value={heightReference}
        onChange={setHeightReference}
      />
      {fault ? <FaultNote fault={fault} /> : null}
      {forecast ? (
        <p className={classes["said"]} role="status">
          {many(forecast.rows, "row")}, about {bytes(forecast.bytes)}, in
          {forecast.fileNames.map((name) => (
            <span key={name} className={classes["file"]}>
              {name}
            </span>
          ))}
        </p>
      ) : null}
      {incomplete.length > 0 ? (
        <div className={classes["note"]}>
          <p>
            Parts are not in the cache, or may still change, for {stationWords(byId, incomplete)}. The file will say so.
          </p>
          <Button onPress={() => void startFetch(connectionId, jobSpecOf(chosen), false)}>Fetch them first</Button>
        </div>
      ) : null}
      <DialogActions>
        <Button onPress={onClose}>Cancel</Button>
        <Button
          look="primary"
          autoFocus
          // Counting, it cannot be pressed but holds the focus: E and Enter are a file.
          isPending={!forecast && !fault}
          isDisabled={forecast ? forecast.rows === 0 : fault !== null}
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
