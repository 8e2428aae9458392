// A fetch in a separate process that is killed: node fetchChild.ts <service url> <key> <cache file> <job as JSON>
import { createClient } from "#main/client/index.ts";
import { openCache } from "#main/store/index.ts";
import { runJob } from "#main/sync/job.ts";
import { createSession } from "#main/sync/session.ts";

const [url, key, path, job] = process.argv.slice(2);
const cache = openCache(path!);
const session = createSession({ client: createClient({ baseUrl: url!, apiKey: () => key! }), cache });
process.stdout.write("ready\n");
const outcome = await runJob(session, JSON.parse(job!), { signal: new AbortController().signal });
process.stdout.write(`${outcome.state}\n`);
process.exit(outcome.state === "finished" ? 0 : 1);
