// Process that compacts a cache and prints the result.
import { openCache } from "#main/store/index.ts";
import { UNSEEN } from "../support/pace.ts";

let cache: ReturnType<typeof openCache> | null = null;
try {
  cache = openCache(process.argv[2]!);
  await cache.compact(UNSEEN);
  console.log("done");
} catch (thrown) {
  console.log(String(thrown));
} finally {
  cache?.close();
}
