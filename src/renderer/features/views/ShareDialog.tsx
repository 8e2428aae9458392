import { useState } from "react";
import type { SessionForecast, SharedFile, ShareSelection } from "#shared/bridge/methods/views.ts";
import { VIEW_FILE_EXTENSION, withoutFilesSentence } from "#shared/views/file.ts";
import { sessionForecastOf } from "../../ask/questions.ts";
import { useAsk } from "../../ask/useAsk.ts";
import { useCall } from "../../ask/useCall.ts";
import { download } from "../../bridge/files.ts";
import { bridge } from "../../bridge/index.ts";
import { useCapabilities } from "../../stores/capabilities.ts";
import { connectionName, useConnection } from "../../stores/connection.ts";
import { useSelection } from "../../stores/selection.ts";
import { showToast } from "../../stores/toasts.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { Button } from "../../ui/Button.tsx";
import { Checkbox, Segments, choicesFrom } from "../../ui/choices.tsx";
import { DialogActions, useClose, CloseButton } from "../../ui/Dialog.tsx";
import { TextField } from "../../ui/fields.tsx";
import { FaultNote, Progress } from "../../ui/notes.tsx";
import { bytes, many } from "../../ui/text.ts";
import { destinationOf } from "../export/startExport.ts";
import { captured } from "./actions.ts";
import { fileNameOf, shareViews } from "./files.ts";
import { useViews } from "./store.ts";
import { fieldsOf } from "../../ui/fieldsOf.ts";

/** Returns the file name of a session with these views. */
function sessionFileName(names: readonly string[]): string {
  const [first] = names;
  const name = names.length === 1 && first ? fileNameOf(first) : names.length > 1 ? "views" : "session";
  return `${name}${VIEW_FILE_EXTENSION}`;
}

type Content = "views" | "data";

const CONTENT_CHOICES = choicesFrom({ views: "Views only", data: "Views and data" });

/** What the user shares. */
interface Draft {
  readonly content: Content;
  readonly satellites: boolean;
  /** Whether the stations and the range selected now are shared too. */
  readonly withChosen: boolean;
  readonly tellsAddress: boolean;
  readonly author: string;
}

/** Returns the data that a session file contains. */
function useShared(names: readonly string[], { withChosen, satellites }: Draft): ShareSelection {
  const { stationIds, range } = useSelection();
  const also =
    withChosen && stationIds.length > 0 ? { stationIds, range, workspace: captured(useWorkspace.getState()) } : null;
  return { names, also, satellites };
}

/** The form that writes a session file for a colleague: with or without data, and its size. */
export function ShareDialog({ names }: { readonly names: readonly string[] }) {
  const close = useClose();
  const views = useViews();
  const connectionId = useConnection((s) => s.current?.info.id ?? "");
  const { fileDialogs } = useCapabilities();
  const isOfSelection = names.length === 0;
  const [draft, setDraft] = useState<Draft>({
    content: isOfSelection ? "data" : "views",
    satellites: true,
    withChosen: isOfSelection,
    tellsAddress: true,
    author: "",
  });
  const change = (part: Partial<Draft>): void => setDraft({ ...draft, ...part });
  const field = fieldsOf(draft, change);
  const { isBusy, share, fault, run, stop } = useCall();
  const selection = useShared(names, draft);
  const isData = draft.content === "data";
  const asked = useAsk(sessionForecastOf, isData && connectionId !== "" ? { connectionId, ...selection } : null);
  const forecast = asked.value;
  const write = async (): Promise<void> => {
    if (!isData) {
      shareViews(views.filter((view) => names.includes(view.name)));
      return close();
    }
    const name = sessionFileName(names);
    const chosen = await destinationOf(name, VIEW_FILE_EXTENSION.slice(1));
    if (chosen === null) return;
    const destination = chosen.kind === "file" ? chosen : { ...chosen, name };
    const { tellsAddress } = draft;
    const file = { connectionId, ...selection, author: draft.author.trim() || null, tellsAddress, destination };
    const answer = await run(({ workId, signal }) => bridge.views.writeFile({ ...file, workId }, { signal }));
    if (!answer.ok) return;
    if (answer.value.href !== null) await download(answer.value.href, answer.value.name);
    showToast(writtenText(answer.value));
    close();
  };
  const shownFault = fault ?? asked.fault;
  return (
    <div className="stack gap-3">
      {isOfSelection ? null : (
        <>
          <p>{names.length === 1 ? `The view “${names[0]}”` : many(names.length, "view")}</p>
          <div className="self-start">
            <Segments label="What to share" choices={CONTENT_CHOICES} {...field("content")} isDisabled={isBusy} />
          </div>
        </>
      )}
      {isData ? (
        <DataFields isOfSelection={isOfSelection} draft={draft} isBusy={isBusy} forecast={forecast} onChange={change} />
      ) : null}
      <p className="caption">
        {isData
          ? "All cached data of these stations and ranges. Your colleague sees them as a separate, read-only connection. The file never contains the key, or opened files."
          : "Views only: no data, no address and no key."}
      </p>
      {isBusy ? <Progress label="Writing" share={share} text="Writing and checking the file." /> : null}
      {shownFault ? <FaultNote fault={shownFault} /> : null}
      <DialogActions>
        {isBusy ? <Button onPress={stop}>Stop</Button> : <CloseButton />}
        <Button
          look="primary"
          isPending={isBusy}
          isDisabled={isData && !forecast?.hasData}
          onPress={() => void write()}
        >
          {fileDialogs && isData ? "Save file…" : "Download file"}
        </Button>
      </DialogActions>
    </div>
  );
}

function writtenText({ name, bytes: size, stations, path, href, withoutFiles }: SharedFile): string {
  const left = withoutFiles.length === 0 ? "" : ` ${withoutFilesSentence(withoutFiles)}`;
  return `${href === null ? path : name} was saved: ${many(stations, "station")}, ${bytes(size)}.${left}`;
}

interface DataFieldsProps {
  /** Whether only the current selection is shared, not saved views. */
  readonly isOfSelection: boolean;
  readonly draft: Draft;
  readonly isBusy: boolean;
  /** null until it is known. */
  readonly forecast: SessionForecast | null;
  readonly onChange: (part: Partial<Draft>) => void;
}

/** Which data the file contains, and whose they are. */
function DataFields({ isOfSelection, draft, isBusy, forecast, onChange }: DataFieldsProps) {
  const field = fieldsOf(draft, onChange);
  const info = useConnection((s) => s.current?.info ?? null);
  const chosen = useSelection().stationIds.length;
  const hasAddress = info?.kind !== "demo" && info?.baseUrl !== "";
  return (
    <>
      <div className="stack gap-1">
        {isOfSelection ? null : (
          <Checkbox {...field("withChosen")} isDisabled={isBusy || chosen === 0}>
            Also the {many(chosen, "station")} selected now, in the current time range
          </Checkbox>
        )}
        <Checkbox {...field("satellites")} isDisabled={isBusy}>
          Include satellite data (usually most of the size)
        </Checkbox>
        {hasAddress ? (
          <Checkbox {...field("tellsAddress")} isDisabled={isBusy}>
            Include the address of the service
          </Checkbox>
        ) : null}
      </div>
      <TextField
        label="Your name"
        {...field("author")}
        hint="Shown to your colleague, as in “From Anna’s file”. Optional."
        isDisabled={isBusy}
        autoComplete="off"
      />
      <p role="status" className="tabular-nums">
        {forecast === null
          ? "Counting…"
          : forecast.hasData
            ? `About ${bytes(forecast.bytes)}: ${many(forecast.stations, "station")} of ${info ? connectionName(info) : ""}`
            : "No data of these stations are cached in this range. Fetch them first."}
      </p>
    </>
  );
}
