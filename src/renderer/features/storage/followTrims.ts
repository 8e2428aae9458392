import { bridge } from "../../bridge/index.ts";
import { stationName, useCatalogue } from "../../stores/catalogue.ts";
import { useConnection } from "../../stores/connection.ts";
import { showToast } from "../../stores/toasts.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { trimText } from "./trims.ts";

/** What is forgotten to keep the cache below its limit is told, in whatever room one is. */
export function followTrims(): void {
  bridge.on("cacheTrimmed", (trim) => {
    if (trim.connectionId !== useConnection.getState().current?.info.id) return;
    const { byId } = useCatalogue.getState();
    const openRoom = { label: "Storage", run: () => useWorkspace.setState({ room: "storage" }) };
    showToast(
      trimText(trim, (id) => stationName(byId, id)),
      openRoom,
    );
  });
}
