import { useEffect } from "react";
import { bridge } from "../../bridge/index.ts";
import { openGrants } from "./open.ts";
import { followFiles } from "./store.ts";

/** Knows what is open, and opens what the system asks for: at the start, and whenever it does. */
export function useOpenedFiles(): void {
  useEffect(() => {
    const take = async (): Promise<void> => {
      const offered = await bridge.files.takeOffered({});
      if (offered.ok) await openGrants(offered.value);
    };
    void take();
    const off = [followFiles(), bridge.on("filesOffered", () => void take())];
    return () => {
      for (const each of off) each();
    };
  }, []);
}
