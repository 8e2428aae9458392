// npm run zenith -- web: builds changes of the window, as “npm start” does, and runs the command line.
import { ensureBuilt } from "./build.ts";

ensureBuilt(() => console.error("Building …"));
await import("#main/cli/index.ts");
