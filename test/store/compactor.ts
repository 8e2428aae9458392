// Compacts a cache in a process of its own, and says how it ended.
import { openCache } from "#main/store/index.ts";
import { UNSEEN } from "../support/pace.ts";

const cache = openCache(process.argv[2]!);
try {
  await cache.compact(UNSEEN);
  console.log("done");
} catch (thrown) {
  console.log(String(thrown));
} finally {
  cache.close();
}
