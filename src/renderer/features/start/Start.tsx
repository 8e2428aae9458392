import { useRef, useState } from "react";
import type { AppFault } from "#shared/fault.ts";
import { openDialog } from "../../stores/dialogs.ts";
import { useConnection, loadConnections, openConnection } from "../../stores/connection.ts";
import { Button } from "../../ui/Button.tsx";
import { Keys, FaultNote } from "../../ui/notes.tsx";
import { openGuide } from "../guide/open.ts";
import { useSettings } from "../../stores/settings.ts";
import { ConnectForm } from "./ConnectForm.tsx";
import { exploreDemo } from "./exploreDemo.ts";
import { OpenFiles } from "./OpenFiles.tsx";
import { SavedConnections } from "./SavedConnections.tsx";
import { Orphans } from "./Orphans.tsx";
import classes from "./start.module.css";

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
    <main data-view="start" className={classes["start"]}>
      <div className={classes["page"]}>
        <header>
          <h1 className={classes["title"]}>Zenith Desk</h1>
          <p className={classes["lead"]}>
            Zenith delay and water vapour from GNSS stations: downloaded once, stored on this computer, available
            offline.
          </p>
        </header>
        {fault ? <OpeningFault fault={fault} /> : null}
        {listed.length > 0 ? <SavedConnections all={listed} /> : null}
        <Orphans />
        <div className={classes["cards"]}>
          <section aria-labelledby="start-demo" className={classes["card"]}>
            <h2 id="start-demo" className={classes["heading"]}>
              Try the demo
            </h2>
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
          </section>
          <section aria-labelledby="start-connect" className={classes["card"]}>
            <h2 id="start-connect" className={classes["heading"]}>
              Connect to a service
            </h2>
            <ConnectForm onTyped={setTyped} />
          </section>
        </div>
        <OpenFiles />
        <footer className={classes["foot"]}>
          <Button look="quiet" onPress={() => openGuide()}>
            Guide <Keys keys="F1" />
          </Button>
          <Button look="quiet" onPress={() => openDialog({ kind: "shortcuts" })}>
            Keyboard shortcuts <Keys keys="?" />
          </Button>
          <Button look="quiet" onPress={() => openDialog({ kind: "about" })}>
            About
          </Button>
        </footer>
      </div>
    </main>
  );
}

async function tryAgain(): Promise<void> {
  useConnection.setState({ fault: null });
  await loadConnections();
  const { lastConnectionId } = useSettings.getState().settings;
  const last = useConnection.getState().all?.find((c) => c.id === lastConnectionId);
  if (last) await openConnection(last.id);
}

/** Why the connection could not be opened, with a button to try again. */
function OpeningFault({ fault }: { readonly fault: AppFault }) {
  return <FaultNote fault={fault} action={<Button onPress={() => void tryAgain()}>Try again</Button>} />;
}
