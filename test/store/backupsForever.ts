// Changes user.db again and again, so that each time its backup is replaced: node backupsForever.ts PATH
import { openUserStore } from "#main/store/index.ts";

const [, , path = ""] = process.argv;
for (let n = 0; ; n++) {
  const users = openUserStore(path);
  users.putSetting("n", String(n));
  users.close();
}
