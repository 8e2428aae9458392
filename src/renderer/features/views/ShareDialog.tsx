import { useEffect, useMemo, useRef, useState } from "react";
import type { Capabilities } from "#shared/bridge/methods/system.ts";
import type { SessionForecast, SharedFile, ShareSelection } from "#shared/bridge/methods/views.ts";
import type { AppFault } from "#shared/fault.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import { VIEW_FILE_EXTENSION, withoutFilesSentence } from "#shared/views/file.ts";
import { download } from "../../bridge/files.ts";
import { bridge } from "../../bridge/index.ts";
import { useCapabilities } from "../../stores/capabilities.ts";
import { connectionName, useConnection } from "../../stores/connection.ts";
import { useSelection } from "../../stores/selection.ts";
import { showToast } from "../../stores/toasts.ts";
import { useWorkProgress } from "../../stores/work.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { Button } from "../../ui/Button.tsx";
import { Checkbox, Segments } from "../../ui/choices.tsx";
import { DialogActions } from "../../ui/Dialog.tsx";
import { TextField } from "../../ui/fields.tsx";
import { FaultNote, Progress } from "../../ui/notes.tsx";
import { bytes, many } from "../../ui/text.ts";
import { captured } from "./actions.ts";
import { fileNameOf, shareViews } from "./files.ts";
import { useViews } from "./store.ts";

interface ShareWork {
  readonly connectionId: string;
  readonly selection: ShareSelection;
  readonly author: string;
  readonly tellsAddress: boolean;
  readonly fileName: string;
  readonly workId: string;
  readonly signal: AbortSignal;
}

/** Returns the file name of a session with these views. */
function sessionFileName(names: readonly string[]): string {
  const [first] = names;
  const name = names.length === 1 && first ? fileNameOf(first) : names.length > 1 ? "views" : "session";
  return `${name}${VIEW_FILE_EXTENSION}`;
}

/** Writes a session file with data to a destination chosen by the user; null if the user cancelled. */
async function shareData(
  work: ShareWork,
  { fileDialogs }: Pick<Capabilities, "fileDialogs">,
): Promise<Result<SharedFile | null, AppFault>> {
  const { connectionId, selection, author, tellsAddress, fileName, workId, signal } = work;
  let path: string | null = null;
  if (fileDialogs) {
    const chosen = await bridge.system.chooseSaveFile({
      suggestedName: fileName,
      extensions: [VIEW_FILE_EXTENSION.slice(1)],
    });
    if (!chosen.ok) return failure(chosen.error);
    if (chosen.value === null) return success(null);
    path = chosen.value;
  }
  const destination =
    path === null ? ({ kind: "download", name: fileName } as const) : ({ kind: "file", path } as const);
  const given = { connectionId, ...selection, author: author.trim() || null, tellsAddress, destination, workId };
  const answer = await bridge.views.writeFile(given, { signal });
  if (answer.ok && answer.value.href !== null) await download(answer.value.href, answer.value.name);
  return answer;
}

type Content = "views" | "data";

const CONTENT_CHOICES = [
  { value: "views", label: "Views only" },
  { value: "data", label: "Views and data" },
] as const;

/** The form that writes a session file for a colleague: with or without data, and its size. */
export function ShareDialog({ names, onClose }: { readonly names: readonly string[]; readonly onClose: () => void }) {
  const views = useViews((s) => s.views);
  const info = useConnection((s) => s.current?.info ?? null);
  const { stationIds, range } = useSelection();
  const capabilities = useCapabilities();
  const [content, setContent] = useState<Content>(names.length === 0 ? "data" : "views");
  const [satellites, setSatellites] = useState(true);
  const [withChosen, setWithChosen] = useState(names.length === 0);
  const [tellsAddress, setTellsAddress] = useState(true);
  const [author, setAuthor] = useState("");
  const [fault, setFault] = useState<AppFault | null>(null);
  const [workId, setWorkId] = useState<string | null>(null);
  const share = useWorkProgress(workId);
  const stop = useRef<AbortController | null>(null);
  const connectionId = info?.id ?? "";
  const selection = useMemo(
    () => ({
      names,
      also:
        withChosen && stationIds.length > 0
          ? { stationIds, range, workspace: captured(useWorkspace.getState()) }
          : null,
      satellites,
    }),
    [names, withChosen, stationIds, range, satellites],
  );
  const forecast = useForecast(connectionId, content === "data" ? selection : null, setFault);
  // Closing the dialog stops the writing.
  useEffect(() => () => stop.current?.abort(), []);

  const write = async (): Promise<void> => {
    if (content === "views") {
      shareViews(views.filter((view) => names.includes(view.name)));
      return onClose();
    }
    setFault(null);
    const control = new AbortController();
    stop.current = control;
    const id = crypto.randomUUID();
    setWorkId(id);
    const fileName = sessionFileName(names);
    const work = { connectionId, selection, author, tellsAddress, fileName, workId: id, signal: control.signal };
    const answer = await shareData(work, capabilities);
    setWorkId(null);
    if (!answer.ok) return answer.error.kind === "cancelled" ? undefined : setFault(answer.error);
    if (answer.value === null) return;
    const { name, bytes: size, stations, path, href, withoutFiles } = answer.value;
    const left = withoutFiles.length === 0 ? "" : ` ${withoutFilesSentence(withoutFiles)}`;
    showToast(`${href === null ? path : name} is written: ${many(stations, "station")}, ${bytes(size)}.${left}`);
    onClose();
  };

  const hasAddress = info?.kind !== "demo" && info?.baseUrl !== "";
  const isEmpty = content === "data" && forecast !== null && !forecast.hasData;
  return (
    <div className="stack gap-3">
      {names.length > 0 ? (
        <>
          <p>{names.length === 1 ? `The view “${names[0]}”` : many(names.length, "view")}</p>
          <div className="self-start">
            <Segments
              label="What to share"
              choices={CONTENT_CHOICES}
              value={content}
              onChange={setContent}
              isDisabled={workId !== null}
            />
          </div>
        </>
      ) : null}
      {content === "data" ? (
        <>
          <div className="stack gap-1">
            {names.length > 0 ? (
              <Checkbox
                isSelected={withChosen}
                onChange={setWithChosen}
                isDisabled={workId !== null || stationIds.length === 0}
              >
                Also the {many(stationIds.length, "station")} selected now, in the current time range
              </Checkbox>
            ) : null}
            <Checkbox isSelected={satellites} onChange={setSatellites} isDisabled={workId !== null}>
              Include satellite data (usually most of the size)
            </Checkbox>
            {hasAddress ? (
              <Checkbox isSelected={tellsAddress} onChange={setTellsAddress} isDisabled={workId !== null}>
                Include the address of the service
              </Checkbox>
            ) : null}
          </div>
          <TextField
            label="Your name"
            value={author}
            onChange={setAuthor}
            hint="Shown to your colleague, as in “From Anna’s file”. Optional."
            isDisabled={workId !== null}
            autoComplete="off"
          />
          <p role="status" className="tabular-nums">
            {forecast === null
              ? "Counting…"
              : isEmpty
                ? "No data of these stations are cached in this range. Fetch them first."
                : `About ${bytes(forecast.bytes)}: ${many(forecast.stations, "station")} of ${info ? connectionName(info) : ""}`}
          </p>
        </>
      ) : null}
      <p className="caption">
        {content === "data"
          ? "All cached data of these stations and ranges. Your colleague sees them as a separate, read-only connection. The file never contains the key, or opened files."
          : "Views only: no data, no address and no key."}
      </p>
      {workId === null ? null : <Progress label="Writing" share={share} text="Writing and checking the file." />}
      {fault ? <FaultNote fault={fault} /> : null}
      <DialogActions>
        {workId === null ? (
          <Button onPress={onClose}>Cancel</Button>
        ) : (
          <Button onPress={() => stop.current?.abort()}>Stop</Button>
        )}
        <Button
          look="primary"
          isPending={workId !== null}
          isDisabled={content === "data" && (forecast === null || isEmpty)}
          onPress={() => void write()}
        >
          {capabilities.fileDialogs && content === "data" ? "Save file…" : "Download file"}
        </Button>
      </DialogActions>
    </div>
  );
}

type Selection = Parameters<typeof bridge.views.estimateFile>[0];

function useForecast(
  connectionId: string,
  selection: Omit<Selection, "connectionId"> | null,
  onFault: (fault: AppFault) => void,
): SessionForecast | null {
  const [known, setKnown] = useState<{ readonly selection: object; readonly forecast: SessionForecast } | null>(null);
  useEffect(() => {
    if (selection === null || connectionId === "") return undefined;
    const control = new AbortController();
    const estimate = async (): Promise<void> => {
      const answer = await bridge.views.estimateFile({ connectionId, ...selection }, { signal: control.signal });
      if (control.signal.aborted) return;
      if (answer.ok) setKnown({ selection, forecast: answer.value });
      else onFault(answer.error);
    };
    void estimate();
    return () => control.abort();
  }, [connectionId, selection, onFault]);
  return known !== null && known.selection === selection ? known.forecast : null;
}
