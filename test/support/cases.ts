import * as fc from "fast-check";
import { IS_GATE } from "./endurance.ts";

/** Cases of a property that states no number of its own. The gate runs a sixth of them, like of other long tests. */
if (IS_GATE) fc.configureGlobal({ numRuns: 17 });
