import { CalendarClock, Copy, Pencil, Trash2 } from "lucide-react";
import type { KeptExport } from "#shared/bridge/methods/export.ts";
import { downloadFor, requestAt } from "#shared/file/savedExport.ts";
import { useCapabilities } from "../../stores/capabilities.ts";
import { useCatalogue } from "../../stores/catalogue.ts";
import { useNowMs } from "../../stores/clock.ts";
import { useConnection } from "../../stores/connection.ts";
import { Button, CopyButton, IconButton } from "../../ui/Button.tsx";
import { NoWrapParts } from "../../ui/layout.tsx";
import { useEstimate } from "../fetch/useEstimate.ts";
import { fetchWords } from "../fetch/words.ts";
import { stationWords } from "../jobs/words.ts";
import { scheduleSaved } from "../schedules/draft.ts";
import classes from "./export.module.css";
import { duplicateSaved, openExportPage, removeSaved, runSaved } from "./saved.ts";
import { savedWords } from "./formats.ts";

interface SavedItemProps {
  readonly saved: KeptExport;
  readonly hasFocus: boolean;
  readonly onRun: () => void;
}

/** A saved export with its command line and buttons to run, schedule, edit, duplicate and remove it. */
export function SavedItem({ saved, hasFocus, onRun }: SavedItemProps) {
  const { name, command, connectionId, stationIds } = saved;
  const byId = useCatalogue((s) => s.byId);
  const capabilities = useCapabilities();
  const nowMs = useNowMs();
  const isOffline = useConnection((s) => s.connectivity?.state === "offline");
  const state = useEstimate(connectionId, downloadFor(requestAt(saved, nowMs)));
  // There is no service to download from for data from a file.
  const isFile = useConnection((s) => s.current?.info.kind === "file");
  const estimate = !isFile && state.kind === "known" && state.estimate.pointsToFetch > 0 ? state.estimate : null;
  const run = (): void => {
    onRun();
    void runSaved(saved, estimate !== null, capabilities);
  };
  return (
    <li className={classes["item"]}>
      <div className={classes["what"]}>
        <strong className={classes["name"]}>{name}</strong>
        <span className={classes["said"]}>
          <NoWrapParts text={`${stationWords(byId, stationIds)} · ${savedWords(saved)}`} separator=" · " />
        </span>
      </div>
      <Button autoFocus={hasFocus} onPress={run}>
        <span>
          {estimate ? `${fetchWords(estimate, isOffline)}, then write` : "Run"}
          <span className="visually-hidden"> “{name}”</span>
        </span>
      </Button>
      <IconButton
        label={`Schedule “${name}”`}
        onPress={() => {
          onRun();
          scheduleSaved(saved);
        }}
      >
        <CalendarClock aria-hidden />
      </IconButton>
      <IconButton label={`Edit “${name}”`} onPress={() => openExportPage({ kind: "edit", name, saved })}>
        <Pencil aria-hidden />
      </IconButton>
      <IconButton label={`Duplicate “${name}”`} onPress={() => duplicateSaved(saved)}>
        <Copy aria-hidden />
      </IconButton>
      <IconButton label={`Remove “${name}”`} onPress={() => void removeSaved(saved)}>
        <Trash2 aria-hidden />
      </IconButton>
      <div className={classes["command"]}>
        <code className={classes["code"]}>{command}</code>
        <CopyButton text={() => command}>
          Copy<span className="visually-hidden"> the command of “{name}”</span>
        </CopyButton>
      </div>
    </li>
  );
}
