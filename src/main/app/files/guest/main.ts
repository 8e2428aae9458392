import { corePort, runGuest } from "./guest.ts";

corePort((port) => runGuest(port));
