// oxlint-disable-next-line import/no-unassigned-import -- it has to be there before any library
import "./policy.ts";
import "./ui/tokens.css";
import "./ui/base.css";
import { raceTimeout } from "#shared/async.ts";
import { startBridge } from "./bridge/start.ts";
import { open } from "./features/start/opening.ts";

/** Where the core takes longer, the window says that it is being opened. */
const PATIENCE_MS = 300;

// Small, and first: once it has asked for what the window is about to show, the core reads that on its processor while what
// shows it is made ready here, and all of it is drawn at once.
const opened = startBridge().then((isIn) => (isIn ? open() : undefined));
await raceTimeout(opened, PATIENCE_MS);
const { show } = await import("./window.tsx");
show();
