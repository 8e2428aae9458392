import { sourceWords } from "#shared/plot/figure/page.ts";
import { bridge } from "../../bridge/index.ts";
import { useConnection } from "../../stores/connection.ts";

/** Returns the source line of a figure: origin of the data, application and date. */
export async function provenance(): Promise<string> {
  const about = await bridge.system.about({});
  const program = about.ok ? `${about.value.name} ${about.value.version}` : "Zenith Desk";
  return sourceWords(useConnection.getState().current?.info ?? null, program, Date.now());
}
