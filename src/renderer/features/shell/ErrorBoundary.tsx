import { Component, type ReactNode } from "react";
import { bridge } from "../../bridge/index.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { Button, CopyButton } from "../../ui/Button.tsx";
import classes from "./shell.module.css";

interface State {
  readonly error: Error | null;
}

/** Returns the details for a report: the error and where it happened, without user input, addresses or keys. */
function detailsOf({ name, message, stack }: Error): string {
  const frames = (stack ?? "").split("\n").filter((line) => line.trim().startsWith("at "));
  const withoutAddresses = frames.map((line) => line.replaceAll(/(https?|app|file):\/\/[^\s)]*\//g, "").trimEnd());
  return [`${name}: ${message}`, ...withoutAddresses, navigator.userAgent].join("\n");
}

/** Reloads without the selection and the stored settings of views, which may have caused the error. */
function reloadEmpty(): void {
  useWorkspace.setState({
    section: "explore",
    view: "series",
    stationIds: [],
    slots: {},
    panes: {},
    isDrawerOpen: false,
  });
  location.reload();
}

/** Replaces the window by an explanation when rendering fails. */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, State> {
  override state: State = { error: null };

  static getDerivedStateFromError(thrown: unknown): State {
    return { error: thrown instanceof Error ? thrown : new Error(String(thrown)) };
  }

  override componentDidCatch(thrown: unknown): void {
    if (thrown instanceof Error) void bridge.log.report({ text: detailsOf(thrown).slice(0, 5_000) });
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (!error) return this.props.children;
    const details = detailsOf(error);
    return (
      <main className={classes["broken"]}>
        <h1>Something went wrong in this window</h1>
        <p role="alert">
          Your data are safe, and downloads continue. Reload the window. If the problem persists, send these details to
          your support; they contain no key and no data.
        </p>
        <div className="flex gap-2">
          <Button look="primary" onPress={() => location.reload()}>
            Reload
          </Button>
          <Button onPress={reloadEmpty}>Reload without a selection</Button>
          <CopyButton text={() => details}>Copy details</CopyButton>
        </div>
        <pre tabIndex={0}>{details}</pre>
      </main>
    );
  }
}
