// npm run zenith -- web: builds changes of the window, as “npm start” does, and runs the command line.
import { BUNDLED_CLI, ensureBuilt } from "./build.ts";

ensureBuilt(() => console.error("Building …"));
await import(BUNDLED_CLI);
