import Database from "better-sqlite3";
import { join } from "node:path";
import { openUserStore } from "#main/store/index.ts";

// Opens a data folder as a user without its permissions, and prints the message of the error.

const [folder = ""] = process.argv.slice(2);
const NOBODY = 65_534;

// Loads the library while this user may still read it.
new Database(":memory:").close();
if (process.getuid?.() === 0) {
  process.setgid?.(NOBODY);
  process.setuid?.(NOBODY);
}
try {
  openUserStore(join(folder, "user.db")).close();
  console.log("opened");
} catch (thrown) {
  console.log(thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : thrown);
}
