// The reference service in a separate process, for the measurement of its speed.
import { startService } from "#service/index.ts";
import { BENCH_KEY, type ReplayArguments, type ReplayHello } from "./replay.ts";

const { decimals } = JSON.parse(process.argv[2]!) as Pick<ReplayArguments, "decimals">;
const service = await startService({
  decimals,
  gzip: false,
  organizations: [{ key: BENCH_KEY, name: "bench", maxPoints: null, deadlineMs: 3_600_000, maxConcurrent: 64 }],
});
process.on("message", () => {
  const { user, system } = process.cpuUsage();
  process.send!((user + system) / 1e6);
});
// The process that started it has ended.
process.on("disconnect", () => process.exit());
const hello: ReplayHello = { url: service.url };
process.send!(hello);
