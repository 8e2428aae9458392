import { ChevronRight } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Button as PlainButton } from "react-aria-components";
import type { AppFault } from "#shared/fault.ts";
import type { RecentFile } from "#shared/file/opened.ts";
import { bridge } from "../../bridge/index.ts";
import { useCapabilities } from "../../stores/capabilities.ts";
import { lastConnectionId, loadConnections, openConnection, useConnection } from "../../stores/connection.ts";
import { openDialog } from "../../stores/dialogs.ts";
import { orShowFault } from "../../stores/toasts.ts";
import { Button, Hint, withShortcut, QuietButton } from "../../ui/Button.tsx";
import { FaultNote, Keys } from "../../ui/notes.tsx";
import { many, utc } from "../../ui/text.ts";
import { chooseFiles, chooseFolders, openRecent } from "../files/open.ts";
import { showFilesAlone, useFiles } from "../files/store.ts";
import { openGuide } from "../guide/open.ts";
import { ConnectForm } from "./ConnectForm.tsx";
import { exploreDemo } from "./exploreDemo.ts";
import { Orphans } from "./Orphans.tsx";
import { SavedConnections } from "./SavedConnections.tsx";
import { StartSection } from "./StartSection.tsx";
import classes from "./start.module.css";

/** The section of the first screen that opens files without a service, with the recent files. */
function OpenFiles() {
  const { openFiles: way } = useCapabilities();
  const { files, opening } = useFiles();
  const [recent, setRecent] = useState<readonly RecentFile[]>([]);
  useEffect(() => {
    void bridge.files.recent({}).then((answer) => answer.ok && setRecent(answer.value));
  }, []);
  if (way === "none") return null;
  const clear = async (): Promise<void> => {
    const answer = await orShowFault(bridge.files.clearRecent({}));
    if (answer.ok) setRecent([]);
  };
  return (
    <StartSection title="Open files">
      <div className={`${classes["files"]} row gap-8 justify-between mt-1`}>
        <p className={classes["text"]}>
          Open NetCDF, SINEX_TRO, COST-716, CSV, Parquet, SQLite or Excel files, zip archives of them, or session files.
          No connection is needed. You can also drop files on this window.
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
    </StartSection>
  );
}

function RecentFiles({ recent, onClear }: { readonly recent: readonly RecentFile[]; readonly onClear: () => void }) {
  return (
    <>
      <ul aria-label="Recent files" className="mt-2 border-t border-line list-none">
        {recent.map((file) => (
          <li key={file.recentId} className="row border-b border-line">
            <PlainButton className={classes["open"]} onPress={() => void openRecent(file)}>
              <span className="truncate font-medium">{file.name}</span>
              <span className="truncate flex-1 text-quiet">{file.folder}</span>
              <span className="caption">opened {utc(file.openedAtMs).slice(0, 10)}</span>
              <ChevronRight aria-hidden />
            </PlainButton>
          </li>
        ))}
      </ul>
      <div className="flex gap-2 -ml-2.5">
        <QuietButton label="Clear recent files" onPress={onClear} />
      </div>
    </>
  );
}

/** The first screen: saved connections, the demo, a new connection, and files. */
export function Start() {
  const all = useConnection((s) => s.all) ?? [];
  const before = useRef(all);
  const kept = useConnection((s) => s.fault);
  const [isOpening, setOpening] = useState(false);
  // The primary button is the demo, until an address is typed.
  const [isTyped, setTyped] = useState(false);
  const [demoFault, setDemoFault] = useState<AppFault | null>(null);
  const fault = demoFault ?? kept;
  const explore = async (): Promise<void> => {
    before.current = all;
    setOpening(true);
    setDemoFault(await exploreDemo());
    setOpening(false);
  };
  // Listing the new connection immediately would move the button away from under the pointer.
  const listed = isOpening ? before.current : all;
  return (
    <main data-view="start" className="scroll h-full bg-surface [scrollbar-gutter:stable]">
      <div className="stack gap-[clamp(12px,2.8vh,32px)] max-w-[880px] mx-auto px-8 pt-[clamp(24px,50vh-340px,160px)] pb-6">
        <header>
          <h1 className={classes["title"]}>Zenith Desk</h1>
          <p className="max-w-[560px] mt-1 text-quiet">
            Zenith delay and water vapour from GNSS stations: downloaded once, stored on this computer, available
            offline.
          </p>
        </header>
        {fault ? <FaultNote fault={fault} action={<Button onPress={() => void tryAgain()}>Try again</Button>} /> : null}
        {listed.length > 0 ? <SavedConnections all={listed} /> : null}
        <Orphans />
        <div
          className={`${classes["cards"]} grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)] border-t border-line border-b`}
        >
          <StartSection title="Try the demo" isCard>
            <p className={classes["text"]}>
              A simulated service runs inside this program: stations on four continents, with fronts, gaps and outages.
              Nothing leaves this computer, and no key is needed.
            </p>
            <p className={classes["text"]}>It starts with a week of data from three stations.</p>
            <div className={classes["actions"]}>
              <Button look={isTyped ? "plain" : "primary"} isPending={isOpening} onPress={() => void explore()}>
                {isOpening ? "Opening the demo…" : "Explore the demo"}
              </Button>
            </div>
          </StartSection>
          <StartSection title="Connect to a service" isCard>
            <ConnectForm onTyped={setTyped} />
          </StartSection>
        </div>
        <OpenFiles />
        <footer className="flex gap-2 -ml-2.5">
          <Button look="quiet" onPress={() => openGuide()}>
            Guide <Keys keys="F1" />
          </Button>
          <Button look="quiet" onPress={() => openDialog({ kind: "shortcuts" })}>
            Keyboard shortcuts <Keys keys="?" />
          </Button>
          <QuietButton label="About" onPress={() => openDialog({ kind: "about" })} />
        </footer>
      </div>
    </main>
  );
}

async function tryAgain(): Promise<void> {
  useConnection.setState({ fault: null });
  await loadConnections();
  const lastId = lastConnectionId();
  const last = useConnection.getState().all?.find((c) => c.id === lastId);
  if (last) await openConnection(last.id);
}
