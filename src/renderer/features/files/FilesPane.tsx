import { FilePlus2 } from "lucide-react";
import { useEffect, useState } from "react";
import { leaveConnection } from "../../stores/connection.ts";
import { useCapabilities } from "../../stores/capabilities.ts";
import { IconButton } from "../../ui/Button.tsx";
import { SearchField } from "../../ui/fields.tsx";
import { count } from "../../ui/text.ts";
import classes from "./files.module.css";
import { FileItem } from "./FileItem.tsx";
import { chooseFiles } from "./open.ts";
import { useShownSeries } from "./shownSeries.ts";
import { useFiles } from "./store.ts";

/** Number of series above which a search field is shown. */
const SEARCH_FROM = 12;

/** The opened files, below the stations, with their series. */
export function FilesPane() {
  const { files, opening } = useFiles();
  const { openFiles } = useCapabilities();
  const shown = useShownSeries();
  const [query, setQuery] = useState("");
  if (files.length === 0 && opening.length === 0) return null;
  const all = files.reduce((n, file) => n + file.series.length, 0);
  const ticked = new Set(shown.map(({ lineId }) => lineId));
  return (
    <section
      aria-label="Opened files"
      className={`${classes["pane"]} stack flex-[0_1_auto] min-h-24 max-h-[45%] border-t border-line`}
    >
      <header className="row flex-none gap-2 h-9 pr-2 pl-3">
        <div role="status" className="row gap-2">
          <h2>Opened files {count(files.length)}</h2>
          <span className={classes["quiet"]}>{shown.length > 0 ? `· ${count(shown.length)} drawn` : ""}</span>
        </div>
        <span className="flex-1" />
        {openFiles === "none" ? null : (
          <IconButton label="Open another file" onPress={() => void chooseFiles(openFiles)} icon={FilePlus2} />
        )}
      </header>
      {all > SEARCH_FROM ? (
        <div className="flex-none px-2 pb-2">
          <SearchField label="Find a series" placeholder="Station or quantity" value={query} onChange={setQuery} />
        </div>
      ) : null}
      <div className="scroll flex-1 min-h-0">
        {files.map((file) => (
          <FileItem key={file.id} file={file} query={query} ticked={ticked} />
        ))}
        {opening.map((name, i) => (
          // The same name may occur twice.
          <p key={`${name} ${i}`} className={classes["opening"]} role="status">
            Reading {name}…
          </p>
        ))}
      </div>
    </section>
  );
}

/** The opened files without a service. Closing the last one returns to the first screen. */
export function FilesAlone() {
  const isEmpty = useFiles(({ files, opening }) => files.length === 0 && opening.length === 0);
  useEffect(() => {
    if (isEmpty) leaveConnection();
  }, [isEmpty]);
  return (
    <div className={`${classes["alone"]} stack h-full`}>
      <FilesPane />
    </div>
  );
}
