// oxlint-disable-next-line import/no-unassigned-import -- it must run before any library
import "./policy.ts";
import "./ui/base.css";
import { raceTimeout } from "#shared/async.ts";
import { startBridge } from "./bridge/start.ts";
import { openLast } from "./features/start/opening.ts";

/** If the core takes longer, the window shows that it is opening. */
const OPENING_TIMEOUT_MS = 300;

// This script is small and runs first: the core reads what the window is about to show while the page loads the large
// script, so that the window appears complete.
const opened = startBridge().then((isIn) => (isIn ? openLast() : undefined));
// Not awaited here: the script of the window imports modules that are in one file with this one.
void raceTimeout(opened, OPENING_TIMEOUT_MS)
  .then(() => import("./window.tsx"))
  .then(({ show }) => show());
