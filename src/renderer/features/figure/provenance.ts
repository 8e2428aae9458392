import { formatUtcShort } from "#shared/time/utc.ts";
import { bridge } from "../../bridge/index.ts";
import { useConnection } from "../../stores/connection.ts";

/** The service by its origin alone: a path or a name and password in an address are no one else's business. */
export async function provenance(): Promise<string> {
  const info = useConnection.getState().current?.info;
  const source =
    info === undefined ? "cache" : info.kind === "demo" ? "embedded reference service" : new URL(info.baseUrl).origin;
  const about = await bridge.system.about({});
  const program = about.ok ? `${about.value.name} ${about.value.version}` : "Zenith Desk";
  return `Data from ${source}, as cached at ${formatUtcShort(Math.floor(Date.now() / 1000) * 1000)}. Drawn by ${program}.`;
}
