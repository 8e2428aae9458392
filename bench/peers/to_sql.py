"""HTTP -> pandas -> SQLite, one row per epoch: requests, DataFrame, to_sql."""

import os
import sqlite3

from common import ARGUMENTS, fetch, now, report

path = ARGUMENTS["path"]
started = now()
frame = fetch(ARGUMENTS["url"], ARGUMENTS["queries"])
database = sqlite3.connect(path)
frame.to_sql("epoch", database, index=False)
database.commit()
database.close()
report(now() - started, len(frame))
os.remove(path)
