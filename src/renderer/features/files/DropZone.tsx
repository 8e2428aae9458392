import { FileInput } from "lucide-react";
import { useEffect, useState } from "react";
import { VIEW_FILE_EXTENSION } from "#shared/views/file.ts";
import { cleanupOf } from "#shared/async.ts";
import { useCapabilities } from "../../stores/capabilities.ts";
import { useCommand } from "../../stores/commands.ts";
import { useConnection, useIsFilesAlone } from "../../stores/connection.ts";
import { bridge } from "../../bridge/index.ts";
import classes from "./files.module.css";
import { chooseFiles, chooseFolders, openFiles, openGrants } from "./open.ts";
import { followFiles } from "./store.ts";

/** Accepts files dropped anywhere on the window, with or without a connection, and shows a hint during the drag. */
export function DropZone() {
  const { openFiles: way } = useCapabilities();
  const [isOver, setOver] = useState(false);
  const isFilesAlone = useIsFilesAlone();
  const isBeside = useConnection((s) => s.current !== null) && !isFilesAlone;
  useOpenedFiles();
  useCommand("files.open", () => void (way === "none" || chooseFiles(way)), way !== "none");
  useCommand("files.open-folder", () => void chooseFolders(), way === "dialog");
  useEffect(() => {
    const over = (event: DragEvent): void => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: DragEvent): void => {
      // Without a related target the pointer left the window.
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent): void => {
      setOver(false);
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      void openFiles(
        [...event.dataTransfer.files].filter(
          (file) => way !== "none" || file.name.toLowerCase().endsWith(VIEW_FILE_EXTENSION),
        ),
      );
    };
    const stop = new AbortController();
    addEventListener("dragover", over, stop);
    addEventListener("dragleave", leave, stop);
    addEventListener("drop", drop, stop);
    return () => stop.abort();
  }, [way]);
  if (!isOver) return null;
  return (
    <div className={classes["over"]} aria-hidden>
      <p className="row gap-3 px-6 py-4 rounded-[7px] bg-surface shadow-float font-semibold">
        <FileInput />
        Drop to open{isBeside ? " beside the cache" : ""}: NetCDF, SINEX_TRO, COST-716, text tables, Parquet, SQLite,
        Excel, zip archives and views
      </p>
    </div>
  );
}

/** Follows the list of open files, and opens the files that the system passes, at the start and later. */
function useOpenedFiles(): void {
  useEffect(() => {
    const openOffered = async (): Promise<void> => {
      const offered = await bridge.files.takeOffered({});
      if (offered.ok) await openGrants(offered.value);
    };
    void openOffered();
    return cleanupOf(
      followFiles(),
      bridge.on("filesOffered", () => void openOffered()),
    );
  }, []);
}
