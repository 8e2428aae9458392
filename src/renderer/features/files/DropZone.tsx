import { FileInput } from "lucide-react";
import { useEffect, useState } from "react";
import { VIEW_FILE_ENDING } from "#shared/views/file.ts";
import { useCapabilities } from "../../stores/capabilities.ts";
import { useCommand } from "../../stores/commands.ts";
import classes from "./files.module.css";
import { chooseFiles, openFiles } from "./open.ts";

/** Files may be dropped anywhere on the window; while they are over it, it says so. */
export function DropZone() {
  const { openFiles: way } = useCapabilities();
  const [isOver, setOver] = useState(false);
  useCommand("files.open", () => void (way === "none" || chooseFiles(way)), way !== "none");
  useEffect(() => {
    if (way === "none") return;
    const over = (event: DragEvent): void => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: DragEvent): void => {
      // Without a place it goes to, it leaves the window.
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent): void => {
      setOver(false);
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      // Files with views are taken elsewhere.
      const files = [...event.dataTransfer.files].filter((file) => !file.name.toLowerCase().endsWith(VIEW_FILE_ENDING));
      void openFiles(files);
    };
    addEventListener("dragover", over);
    addEventListener("dragleave", leave);
    addEventListener("drop", drop);
    return () => {
      removeEventListener("dragover", over);
      removeEventListener("dragleave", leave);
      removeEventListener("drop", drop);
    };
  }, [way]);
  if (!isOver) return null;
  return (
    <div className={classes["over"]} aria-hidden>
      <p className={classes["overText"]}>
        <FileInput />
        Drop to open beside the cache: NetCDF, CSV and Parquet of Zenith Desk, views
      </p>
    </div>
  );
}
