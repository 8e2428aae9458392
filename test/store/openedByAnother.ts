import Database from "better-sqlite3";
import { openUserStore } from "#main/store/index.ts";
import { prepareDataFolder } from "#main/app/storage/usableFolder.ts";

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
  prepareDataFolder(folder).users(openUserStore).close();
  console.log("opened");
} catch (thrown) {
  console.log(thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : thrown);
}
