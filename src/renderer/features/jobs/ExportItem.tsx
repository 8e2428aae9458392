import { ClipboardCopy, FileDown, FolderOpen, Square, X } from "lucide-react";
import type { ExportTask } from "#shared/bridge/methods/export.ts";
import { Button } from "react-aria-components";
import { download } from "../../bridge/files.ts";
import { bridge } from "../../bridge/index.ts";
import { useCapabilities } from "../../stores/capabilities.ts";
import { useCatalogue } from "../../stores/catalogue.ts";
import { orShowFault } from "../../stores/toasts.ts";
import { removeExport } from "../../stores/work.ts";
import { IconButton } from "../../ui/Button.tsx";
import { FaultNote, Progress } from "../../ui/notes.tsx";
import { NoWrapParts } from "../../ui/layout.tsx";
import { bytes } from "../../ui/text.ts";
import { CopyAs } from "../export/CopyAs.tsx";
import { unknownStationsSentence } from "#shared/file/export.ts";
import { missingValuesSentence } from "#shared/satellites/problems.ts";
import { EXPORT_WORDS } from "../export/formats.ts";
import { showFile } from "../export/useExportToasts.ts";
import classes from "./jobs.module.css";
import { exportStateWords, selectionWords, stationWords } from "./words.ts";

/** An export in the list: its content, progress and files. */
export function ExportItem({ task }: { readonly task: ExportTask }) {
  const byId = useCatalogue((s) => s.byId);
  const capabilities = useCapabilities();
  const { request, state, report, fault, downloads } = task;
  const share = task.rowsTotal > 0 ? task.rowsDone / task.rowsTotal : null;
  const firstFile = report?.files[0]?.path ?? null;
  const unreadable = report && missingValuesSentence(report.satelliteProblems);
  const silentIds = report?.stationIdsWithoutRows.filter((id) => !report.unknownStationIds.includes(id)) ?? [];
  const unknown = report && unknownStationsSentence(report.unknownStationIds);
  return (
    <li className={classes["item"]} data-state={state}>
      <div className={classes["head"]}>
        <span className={classes["kind"]}>
          <FileDown aria-hidden />
        </span>
        <div className={classes["what"]}>
          <span className={classes["stations"]}>
            {EXPORT_WORDS[request.format].name}: {stationWords(byId, request.stationIds)}
          </span>
          <span className={classes["detail"]}>
            <NoWrapParts text={selectionWords(request)} separator=" · " />
          </span>
        </div>
        <div className={classes["how"]}>
          {state === "running" ? (
            <Progress label="Export" share={share} text={exportStateWords(task)} />
          ) : (
            <span className={classes["state"]}>{exportStateWords(task)}</span>
          )}
          {capabilities.downloads
            ? null
            : report?.files.map((f) => (
                <span key={f.path} className={classes["detail"]} title={f.path}>
                  {f.path}
                </span>
              ))}
          {downloads.map(({ name, href, bytes: size }) => (
            <Button key={href} className={classes["link"]} onPress={() => void download(href, name)}>
              <NoWrapParts text={`${name} (${bytes(size)})`} separator=" " />
            </Button>
          ))}
          {silentIds.length > 0 ? (
            <span className={classes["detail"]}>Stations without data: {stationWords(byId, silentIds)}</span>
          ) : null}
          {unknown ? <span className={classes["detail"]}>{unknown}</span> : null}
          {unreadable ? <span className={classes["detail"]}>{unreadable}</span> : null}
          {fault && state === "failed" ? <FaultNote fault={fault} /> : null}
        </div>
        <div className={classes["actions"]}>
          {state === "finished" && report ? (
            <CopyAs
              request={request}
              paths={capabilities.downloads ? downloads.map(({ name }) => name) : report.files.map(({ path }) => path)}
              filesOnly={capabilities.downloads}
              button={
                <IconButton label="Copy code that opens the file">
                  <ClipboardCopy aria-hidden />
                </IconButton>
              }
            />
          ) : null}
          {firstFile !== null && capabilities.showInFolder ? (
            <IconButton label="Show in folder" onPress={() => void showFile(firstFile)}>
              <FolderOpen aria-hidden />
            </IconButton>
          ) : null}
          {state === "running" ? (
            <IconButton label="Cancel" onPress={() => void orShowFault(bridge.export.cancel({ exportId: task.id }))}>
              <Square aria-hidden />
            </IconButton>
          ) : (
            <IconButton label="Remove from the list" onPress={() => removeExport(task)}>
              <X aria-hidden />
            </IconButton>
          )}
        </div>
      </div>
    </li>
  );
}
