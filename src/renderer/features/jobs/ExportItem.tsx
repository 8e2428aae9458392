import { ClipboardCopy, FileDown, FolderOpen, RefreshCw, Square, X } from "lucide-react";
import { Button as AriaButton } from "react-aria-components";
import type { ExportTask } from "#shared/bridge/methods/export.ts";
import { unknownStationsSentence } from "#shared/file/export.ts";
import { FORMATS } from "#shared/file/formats.ts";
import { missingValuesSentence } from "#shared/satellites/problems.ts";
import { download } from "../../bridge/files.ts";
import { bridge } from "../../bridge/index.ts";
import { useCapabilities } from "../../stores/capabilities.ts";
import { useCatalogue } from "../../stores/catalogue.ts";
import { orShowFault } from "../../stores/toasts.ts";
import { removeExport } from "../../stores/work.ts";
import { IconButton } from "../../ui/Button.tsx";
import { NoWrapParts } from "../../ui/layout.tsx";
import { FaultNote, Progress } from "../../ui/notes.tsx";
import { bytes } from "../../ui/text.ts";
import { CopyAs } from "../export/CopyAs.tsx";
import { retryExport } from "../export/startExport.ts";
import { showFile } from "../export/useExportToasts.ts";
import classes from "./jobs.module.css";
import { exportStateWords, stationWords } from "./labels.ts";
import { Line, WorkItem } from "./WorkItem.tsx";

/** An export in the list: its content, progress and files. */
export function ExportItem({ task }: { readonly task: ExportTask }) {
  const byId = useCatalogue((s) => s.byId);
  const { request, state, fault } = task;
  const share = task.rowsTotal > 0 ? task.rowsDone / task.rowsTotal : null;
  return (
    <WorkItem
      state={state}
      lead={
        <span className={`${classes["kind"]} row flex-none justify-center w-7 h-7 text-faint`}>
          <FileDown aria-hidden />
        </span>
      }
      title={`${FORMATS[request.format].name}: ${stationWords(byId, request.stationIds)}`}
      selection={request}
      actions={<Actions task={task} />}
    >
      {state === "running" ? (
        <Progress label="Export" share={share} text={exportStateWords(task)} />
      ) : (
        <span className={classes["state"]}>{exportStateWords(task)}</span>
      )}
      <Files task={task} />
      <Missing task={task} />
      {task.figure?.ok === false ? <Line>The figure was not saved. {task.figure.error.message}</Line> : null}
      {fault && state === "failed" ? <FaultNote fault={fault} /> : null}
    </WorkItem>
  );
}

/** The files that were written: their paths, or links of a browser. */
function Files({ task: { report, figure, downloads } }: { readonly task: ExportTask }) {
  const capabilities = useCapabilities();
  const written = [...(report?.files ?? []), ...(figure?.ok ? [figure.value] : [])];
  return (
    <>
      {capabilities.downloads
        ? null
        : written.map(({ path }) => (
            <Line key={path} title={path}>
              {path}
            </Line>
          ))}
      {downloads.map(({ name, href, bytes: size }) => (
        <AriaButton
          key={href}
          className="p-0 border-0 bg-transparent text-start underline leading-6 wrap-anywhere text-accent"
          onPress={() => void download(href, name)}
        >
          <NoWrapParts text={`${name} (${bytes(size)})`} separator=" " />
        </AriaButton>
      ))}
    </>
  );
}

/** What the files lack. */
function Missing({ task: { report } }: { readonly task: ExportTask }) {
  const byId = useCatalogue((s) => s.byId);
  if (report === null) return null;
  const silentIds = report.stationIdsWithoutRows.filter((id) => !report.unknownStationIds.includes(id));
  const unknown = unknownStationsSentence(report.unknownStationIds);
  const unreadable = missingValuesSentence(report.satelliteProblems);
  return (
    <>
      {silentIds.length > 0 ? <Line>Stations without data: {stationWords(byId, silentIds)}</Line> : null}
      {unknown ? <Line>{unknown}</Line> : null}
      {unreadable ? <Line>{unreadable}</Line> : null}
    </>
  );
}

function Actions({ task }: { readonly task: ExportTask }) {
  const capabilities = useCapabilities();
  const { request, state, report, downloads } = task;
  const firstFile = report?.files[0]?.path ?? null;
  return (
    <>
      {state === "finished" && report ? (
        <CopyAs
          request={request}
          paths={capabilities.downloads ? downloads.map(({ name }) => name) : report.files.map(({ path }) => path)}
          filesOnly={capabilities.downloads}
          button={<IconButton label="Copy code that opens the file" icon={ClipboardCopy} />}
        />
      ) : null}
      {firstFile !== null && capabilities.showInFolder ? (
        <IconButton label="Show in folder" onPress={() => void showFile(firstFile)} icon={FolderOpen} />
      ) : null}
      {state === "failed" || state === "cancelled" ? (
        <IconButton label="Try again" onPress={() => retryExport(task)} icon={RefreshCw} />
      ) : null}
      {state === "running" ? (
        <IconButton
          label="Cancel"
          onPress={() => void orShowFault(bridge.export.cancel({ exportId: task.id }))}
          icon={Square}
        />
      ) : (
        <IconButton label="Remove from the list" onPress={() => removeExport(task)} icon={X} />
      )}
    </>
  );
}
