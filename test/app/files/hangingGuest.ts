import { corePort, runGuest } from "#main/app/files/guest/guest.ts";

// A guest whose parser hangs on request, and which may do so for less time than usual.

corePort((port) => runGuest(port, new URL("./hangingParser.ts", import.meta.url), 3_000));
