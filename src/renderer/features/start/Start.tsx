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
import { FilesDoor } from "./FilesDoor.tsx";
import { KeptConnections } from "./KeptConnections.tsx";
import { Orphans } from "./Orphans.tsx";
import classes from "./start.module.css";

/** The first screen: two doors, files, and the connections there already are. */
export function Start() {
  const all = useConnection((s) => s.all) ?? [];
  const before = useRef(all);
  const kept = useConnection((s) => s.fault);
  const [isOpening, setOpening] = useState(false);
  // One thing is the next step: the demo, until an address is typed.
  const [isTyped, setTyped] = useState(false);
  const [demoFault, setDemoFault] = useState<AppFault | null>(null);
  const fault = demoFault ?? kept;
  const explore = async (): Promise<void> => {
    before.current = all;
    setOpening(true);
    setDemoFault(await exploreDemo());
    setOpening(false);
  };
  // A connection that is new with this press would push the button away from under the hand.
  const listed = isOpening ? before.current : all;
  return (
    <main className={classes["start"]}>
      <div className={classes["page"]}>
        <header>
          <h1 className={classes["title"]}>Zenith Desk</h1>
          <p className={classes["lead"]}>
            Zenith delay and water vapour from GNSS stations: downloaded once, stored on this computer, available
            offline.
          </p>
        </header>
        {fault ? <OpeningFault fault={fault} /> : null}
        {listed.length > 0 ? <KeptConnections all={listed} /> : null}
        <Orphans />
        <div className={classes["doors"]}>
          <section aria-labelledby="door-demo" className={classes["door"]}>
            <h2 id="door-demo" className={classes["heading"]}>
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
          <section aria-labelledby="door-connect" className={classes["door"]}>
            <h2 id="door-connect" className={classes["heading"]}>
              Connect to a service
            </h2>
            <ConnectForm onTyped={setTyped} />
          </section>
        </div>
        <FilesDoor />
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
  if (useConnection.getState().all?.some((c) => c.id === lastConnectionId)) await openConnection(lastConnectionId!);
}

/** Why there is no open connection, with the way out: once more, or another door below. */
function OpeningFault({ fault }: { readonly fault: AppFault }) {
  return <FaultNote fault={fault} action={<Button onPress={() => void tryAgain()}>Try again</Button>} />;
}
