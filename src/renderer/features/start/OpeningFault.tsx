import type { AppFault } from "#shared/fault.ts";
import { loadConnections, openConnection, useConnection } from "../../stores/connection.ts";
import { useSettings } from "../../stores/settings.ts";
import { Button } from "../../ui/Button.tsx";
import { FaultNote } from "../../ui/notes.tsx";

async function tryAgain(): Promise<void> {
  useConnection.setState({ fault: null });
  await loadConnections();
  const { lastConnectionId } = useSettings.getState().settings;
  if (useConnection.getState().all?.some((c) => c.id === lastConnectionId)) await openConnection(lastConnectionId!);
}

/** Why there is no open connection, with the way out: once more, or another door below. */
export function OpeningFault({ fault }: { readonly fault: AppFault }) {
  return <FaultNote fault={fault} action={<Button onPress={() => void tryAgain()}>Try again</Button>} />;
}
