import { FolderOpen } from "lucide-react";
import type { ExportRequest } from "#shared/file/export.ts";
import { EXPORT_FORMATS, FORMATS } from "#shared/file/formats.ts";
import { VECTOR_FORMATS } from "#shared/file/figure.ts";
import { withExtension } from "#shared/file/fileName.ts";
import { type Schedule, type ScheduledExport, scheduledRange } from "#shared/schedule/schedule.ts";
import { success } from "#shared/service/error.ts";
import { bridge } from "../../bridge/index.ts";
import { useCapabilities } from "../../stores/capabilities.ts";
import { useNowMs } from "../../stores/clock.ts";
import { useSettings } from "../../stores/settings.ts";
import { orShowFault } from "../../stores/toasts.ts";
import { Button } from "../../ui/Button.tsx";
import { Checkbox } from "../../ui/choices.tsx";
import { useSavedExports } from "../export/saved.ts";
import { NameTemplate } from "../export/NameTemplate.tsx";
import { useTemplateName } from "../export/startExport.ts";
import classes from "./schedules.module.css";

/** A part of the form of a schedule. */
export interface PartProps {
  readonly draft: Schedule;
  readonly onChange: (part: Partial<Schedule>) => void;
}

/** The controls for the files of a run: formats, name and folder. */
export function ScheduledFiles({ draft, onChange }: PartProps) {
  const { exports } = draft;
  const { settings } = useSettings();
  const saved = useSavedExports().filter((one) => one.connectionId === draft.connectionId);
  const own = exports.find((one) => one.kind === "own");
  const named = own ?? exports.find((one) => one.kind === "figure");
  const template = named?.template ?? settings.exportTemplate;
  const heightReference = own?.heightReference ?? settings.heightReference;
  const offered: readonly ScheduledExport[] = [
    ...EXPORT_FORMATS.map((format) => ({ kind: "own", format, heightReference, template }) as const),
    ...VECTOR_FORMATS.map((format) => ({ kind: "figure", format, template }) as const),
    ...saved.map(({ name }) => ({ kind: "saved", name }) as const),
  ];
  const setTemplate = (next: string): void =>
    onChange({ exports: exports.map((one) => (one.kind === "saved" ? one : { ...one, template: next })) });
  return (
    <fieldset className="stack gap-2 min-w-0 m-0 p-0 border-0">
      <legend className="caption px-0 pb-1 font-medium">Files to write</legend>
      <div className="grid grid-cols-[1fr_1fr] gap-x-2 gap-y-0.5">
        {offered.map((file) => {
          const label = labelOf(file);
          const others = exports.filter((one) => labelOf(one) !== label);
          return (
            <Checkbox
              key={label}
              value={others.length < exports.length}
              onChange={(isOn) => onChange({ exports: isOn ? [...others, file] : others })}
            >
              {label}
            </Checkbox>
          );
        })}
      </div>
      {named ? <FileName draft={draft} file={named} template={template} onChange={setTemplate} /> : null}
      {exports.length > 0 ? <Folder draft={draft} onChange={onChange} /> : null}
    </fieldset>
  );
}

/** Also tells the files of a schedule apart. */
function labelOf(file: ScheduledExport): string {
  if (file.kind === "saved") return `Saved export “${file.name}”`;
  return file.kind === "own" ? FORMATS[file.format].name : `Figure, ${file.format.toUpperCase()}`;
}

interface FileNameProps {
  readonly draft: Schedule;
  readonly file: Exclude<ScheduledExport, { kind: "saved" }>;
  readonly template: string;
  readonly onChange: (template: string) => void;
}

/** The template of the file name, shared by all formats. */
function FileName({ draft, file, template, onChange }: FileNameProps) {
  const nowMs = useNowMs();
  const range = scheduledRange(draft, nowMs) ?? { startMs: nowMs - 1, endMs: nowMs };
  const stationIds = draft.stations.kind === "list" ? draft.stations.stationIds : [];
  const { kind, ...options } = file;
  // A figure's name differs only in its ending.
  const fileOptions = kind === "own" ? options : { format: "csv", heightReference: "WGS84_ELLIPSOID" };
  const request = { ...draft, ...fileOptions, stationIds, range } as Omit<ExportRequest, "path">;
  const named = useTemplateName(template, request, draft.name);
  const name = named.ok && kind === "figure" ? success(withExtension(named.value, file.format)) : named;
  return <NameTemplate value={template} onChange={onChange} name={name} />;
}

/** Chooses the destination of the files: a folder in the data folder, or one chosen by the user if the shell has a dialog. */
function Folder({ draft: { folder }, onChange }: PartProps) {
  const { fileDialogs } = useCapabilities();
  const choose = async (): Promise<void> => {
    const answer = await orShowFault(bridge.system.chooseFolder({}));
    if (answer.ok && answer.value !== null) onChange({ folder: answer.value });
  };
  return (
    <div className="row flex-wrap gap-2">
      <p className={classes["quiet"]}>
        {folder === null ? (
          "Files are written to a folder in the data folder; the history shows the path."
        ) : (
          <>
            Files are written to <span className="wrap-anywhere select-text">{folder}</span>
          </>
        )}
      </p>
      {fileDialogs ? (
        <Button onPress={() => void choose()} icon={FolderOpen}>
          Choose folder…
        </Button>
      ) : null}
      {folder === null ? null : <Button onPress={() => onChange({ folder: null })}>Use the data folder</Button>}
    </div>
  );
}
