import { bridge } from "../../bridge/index.ts";
import { openConnection } from "../../stores/connection.ts";
import { Button } from "../../ui/Button.tsx";

async function explore(): Promise<void> {
  const demo = await bridge.connections.demo({});
  if (demo.ok) await openConnection(demo.value.id);
}

/** The first screen. */
export function Start() {
  return (
    <Button look="primary" onPress={() => void explore()}>
      Explore the demo
    </Button>
  );
}
