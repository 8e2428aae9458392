import { ChevronRight } from "lucide-react";
import { useEffect, useState } from "react";
import { Button as PlainButton } from "react-aria-components";
import type { RecentFile } from "#shared/file/opened.ts";
import { bridge } from "../../bridge/index.ts";
import { useCapabilities } from "../../stores/capabilities.ts";
import { showFault } from "../../stores/toasts.ts";
import { Button, withShortcut } from "../../ui/Button.tsx";
import { Hint } from "../../ui/Hint.tsx";
import { many, utc } from "../../ui/text.ts";
import { showFilesAlone, useFiles } from "../files/store.ts";
import { chooseFiles, chooseFolders, openRecent } from "../files/open.ts";
import classes from "./start.module.css";

/** The section of the first screen that opens files without a service, with the recent files. */
export function OpenFiles() {
  const { openFiles: way } = useCapabilities();
  const { files, opening } = useFiles();
  const [recent, setRecent] = useState<readonly RecentFile[]>([]);
  useEffect(() => {
    void bridge.files.recent({}).then((answer) => answer.ok && setRecent(answer.value));
  }, []);
  if (way === "none") return null;
  const clear = async (): Promise<void> => {
    const answer = await bridge.files.clearRecent({});
    if (answer.ok) setRecent([]);
    else showFault(answer.error);
  };
  return (
    <section aria-labelledby="start-files">
      <h2 id="start-files" className={classes["heading"]}>
        Open files
      </h2>
      <div className={classes["files"]}>
        <p className={classes["text"]}>
          NetCDF, SINEX_TRO, COST-716 and text tables from any source, Parquet, SQLite and Excel from Zenith Desk, zip
          archives of them, sessions from colleagues: no connection is needed. You can also drop files on this window.
        </p>
        <div className={classes["actions"]}>
          {files.length > 0 ? (
            <Button onPress={() => void showFilesAlone()}>Show {many(files.length, "opened file")}</Button>
          ) : null}
          <Hint text={withShortcut("Choose files on this computer", "files.open")}>
            <Button isPending={opening.length > 0} onPress={() => void chooseFiles(way)}>
              {opening.length > 0 ? `Reading ${opening[0]}…` : "Open a file…"}
            </Button>
          </Hint>
          {way === "dialog" ? (
            <Button isDisabled={opening.length > 0} onPress={() => void chooseFolders()}>
              Open a folder…
            </Button>
          ) : null}
        </div>
      </div>
      {recent.length > 0 ? <RecentFiles recent={recent} onClear={() => void clear()} /> : null}
    </section>
  );
}

interface RecentFilesProps {
  readonly recent: readonly RecentFile[];
  readonly onClear: () => void;
}

function RecentFiles({ recent, onClear }: RecentFilesProps) {
  return (
    <>
      <ul aria-label="Recent files" className={classes["kept"]}>
        {recent.map((file) => (
          <li key={file.recentId} className={classes["keptRow"]}>
            <PlainButton className={classes["open"]} onPress={() => void openRecent(file)}>
              <span className={classes["name"]}>{file.name}</span>
              <span className={classes["address"]}>{file.folder}</span>
              <span className={classes["state"]}>opened {utc(file.openedAtMs).slice(0, 10)}</span>
              <ChevronRight aria-hidden />
            </PlainButton>
          </li>
        ))}
      </ul>
      <div className={classes["foot"]}>
        <Button look="quiet" onPress={onClear}>
          Clear recent files
        </Button>
      </div>
    </>
  );
}
