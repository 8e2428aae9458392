import { useEffect, useState } from "react";
import { I18nProvider } from "react-aria-components";
import { followConnections, loadConnections, openConnection, useConnection } from "../../stores/connection.ts";
import { loadSettings, useSettings } from "../../stores/settings.ts";
import { followWork } from "../../stores/work.ts";
import { Start } from "../start/Start.tsx";
import { Desk } from "./Desk.tsx";
import { Toasts } from "./Toasts.tsx";
import { useTheme } from "./useTheme.ts";

/** The whole window: the first screen until there is a connection, then the desk. */
export function App() {
  const isReady = useStart();
  const isConnected = useConnection((s) => s.current !== null);
  useTheme();
  return (
    <I18nProvider locale="en-GB">
      {isReady ? isConnected ? <Desk /> : <Start /> : null}
      <Toasts />
    </I18nProvider>
  );
}

/** Loads what the window needs, and goes on with the connection that was shown last. */
function useStart(): boolean {
  const [isReady, setReady] = useState(false);
  useEffect(() => {
    const start = async (): Promise<void> => {
      followConnections();
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
