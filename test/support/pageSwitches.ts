import { IS_ENDURANCE } from "./endurance.ts";

/**
 * Switches of Chromium for pages that live for seconds. Its optimizing compilers work for code that runs long: a page
 * that starts and ends with its suite takes a third more of the processor with them. `npm run endurance` has them on.
 */
export const PAGE_SWITCHES: readonly string[] = IS_ENDURANCE ? [] : ["--js-flags=--no-opt --no-maglev"];
