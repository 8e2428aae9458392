import { useEffect, useState } from "react";
import { I18nProvider } from "react-aria-components";
import { bridge } from "../../bridge/index.ts";
import {
  followConnections,
  loadConnections,
  openConnection,
  reopenConnection,
  useConnection,
} from "../../stores/connection.ts";
import { followDamage } from "../../stores/damage.ts";
import { followSettings, loadSettings, useSettings } from "../../stores/settings.ts";
import { showToast } from "../../stores/toasts.ts";
import { followWork } from "../../stores/work.ts";
import { keepFocus } from "../../ui/keepFocus.ts";
import { GuideDialog } from "../guide/GuideDialog.tsx";
import { Palette } from "../palette/Palette.tsx";
import { followTrims } from "../storage/followTrims.ts";
import { followReadAhead } from "../series/readAhead.ts";
import { Start } from "../start/Start.tsx";
import { Desk } from "./Desk.tsx";
import { ErrorBoundary } from "./ErrorBoundary.tsx";
import { followFailures } from "./failures.ts";
import classes from "./shell.module.css";
import { Toasts } from "./Toasts.tsx";
import { useKeys } from "./useKeys.ts";
import { useTheme } from "./useTheme.ts";
import { useWindowCommands } from "./useWindowCommands.ts";
import { WindowDialogs } from "./WindowDialogs.tsx";

/** The whole window. */
export function App() {
  useTheme();
  useEffect(keepFocus, []);
  return (
    <ErrorBoundary>
      <I18nProvider locale="en-GB">
        <Window />
        <Toasts />
      </I18nProvider>
    </ErrorBoundary>
  );
}

/** The first screen until there is a connection, then the desk. */
function Window() {
  const isReady = useStart();
  const isConnected = useConnection((s) => s.current !== null);
  useKeys();
  useWindowCommands();
  if (!isReady) return <Opening />;
  return (
    <>
      {isConnected ? <Desk /> : <Start />}
      <Palette />
      <WindowDialogs />
      <GuideDialog />
    </>
  );
}

function Opening() {
  return (
    <main className={classes["opening"]}>
      <p role="status">Opening where you left…</p>
    </main>
  );
}

/** Loads what the window needs, and goes on with the connection that was shown last. */
function useStart(): boolean {
  const [isReady, setReady] = useState(false);
  useEffect(() => {
    const start = async (): Promise<void> => {
      followFailures();
      followConnections();
      followSettings();
      followReadAhead();
      followTrims();
      followDamage();
      bridge.on("engineRestarted", ({ reason }) => void goOn(reason));
      void followWork();
      await Promise.all([loadSettings(), loadConnections()]);
      const { lastConnectionId } = useSettings.getState().settings;
      const isKnown = useConnection.getState().all?.some((c) => c.id === lastConnectionId);
      if (lastConnectionId !== null && isKnown) await openConnection(lastConnectionId);
      setReady(true);
    };
    void start();
  }, []);
  return isReady;
}

/** After the core was started again what the window knows may be of yesterday. */
async function goOn(reason: string): Promise<void> {
  const why = reason.replace(/[.\s]+$/, "");
  showToast(`The engine was started again (${why}). Nothing that had arrived is lost; downloads go on.`);
  await Promise.all([loadSettings(), reopenConnection()]);
}
