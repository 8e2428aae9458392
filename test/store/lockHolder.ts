import { lockFolder } from "#main/store/index.ts";

// Process that holds the lock of a folder until it is killed.
lockFolder(process.argv[2] ?? "");
process.stdout.write("held\n");
setInterval(() => {}, 60_000);
