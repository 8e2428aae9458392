import { useEffect } from "react";
import { I18nProvider } from "react-aria-components";
import { useMediaQuery } from "../../ui/useSize.ts";
import { useConnection } from "../../stores/connection.ts";
import { ContextMenu } from "../../ui/ContextMenu.tsx";
import { keepFocus } from "../../ui/keepFocus.ts";
import { DropZone } from "../files/DropZone.tsx";
import { ColumnsDialog } from "../files/ColumnsDialog.tsx";
import { FigureDialogs } from "../figure/FigureDialogs.tsx";
import { GuideDialog } from "../guide/GuideDialog.tsx";
import { Palette } from "../palette/Palette.tsx";
import { Recovery } from "../recovery/Recovery.tsx";
import { useRecovery } from "../recovery/store.ts";
import { useSignIn } from "../../stores/core.ts";
import { SignInPage } from "../signIn/SignInPage.tsx";
import { useOpening } from "../start/opening.ts";
import { Start } from "../start/Start.tsx";
import { ViewsDialogs } from "../views/ViewsDialogs.tsx";
import { useSettings } from "../../stores/settings.ts";
import { Desk } from "./Desk.tsx";
import { CoreNotice } from "./CoreNotice.tsx";
import { ErrorBoundary } from "./ErrorBoundary.tsx";
import classes from "./shell.module.css";
import { Toasts } from "./Toasts.tsx";
import { useKeys, WindowCommands } from "./windowCommands.ts";
import { WindowDialogs } from "./WindowDialogs.tsx";

/** The whole window. */
export function App() {
  useTheme();
  useEffect(keepFocus, []);
  return (
    <ErrorBoundary>
      <I18nProvider locale="en-GB">
        <WindowCommands />
        <CoreNotice />
        <Window />
      </I18nProvider>
    </ErrorBoundary>
  );
}

/** Shows the first screen until there is a connection, then the desk. */
function Window() {
  const isReady = useOpening((s) => s.isReady);
  const isConnected = useConnection((s) => s.current !== null);
  const missing = useSignIn((s) => s.missing);
  const recovery = useRecovery((s) => s.recovery);
  useKeys();
  if (missing !== null) return <SignInPage missing={missing} />;
  // Replaces the messages, too: each of them would report the same problem.
  if (recovery !== null) return <Recovery recovery={recovery} />;
  if (!isReady)
    return (
      <>
        <Opening />
        <Toasts />
      </>
    );
  return (
    <>
      {isConnected ? <Desk /> : <Start />}
      <DropZone />
      <ViewsDialogs />
      <Palette />
      <ContextMenu />
      <FigureDialogs />
      <ColumnsDialog />
      <WindowDialogs />
      <GuideDialog />
      <Toasts />
    </>
  );
}

function Opening() {
  return (
    <main data-view="opening" className={classes["opening"]}>
      <p role="status">Opening your last session…</p>
    </main>
  );
}

/** Applies the light or dark theme of the settings or the system, as an attribute for the style sheet. */
function useTheme(): void {
  const theme = useSettings((s) => s.settings.theme);
  const isSystemDark = useMediaQuery("(prefers-color-scheme: dark)");
  const isDark = theme === "dark" || (theme === "system" && isSystemDark);
  useEffect(() => void (document.documentElement.dataset["theme"] = isDark ? "dark" : "light"), [isDark]);
}
