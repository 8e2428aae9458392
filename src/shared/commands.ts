/** A command of the palette, the keyboard or the system's menu. */
export interface Command {
  readonly id: string;
  /** Text in the palette and the menu. */
  readonly title: string;
  /**
   * Shortcut that also works while typing, in Electron's notation. A page that handles it has to prevent the default,
   * else the menu runs the command a second time.
   */
  readonly accelerator?: string;
  /** A single key (`KeyboardEvent.key`) that works outside of text fields. */
  readonly key?: string;
  /** Additional search words of the palette. */
  readonly also?: string;
}

/** All commands in the order of the palette. The window determines which of them are available. */
export const COMMANDS = [
  { id: "palette", title: "Search, or run a command", accelerator: "CmdOrCtrl+K" },
  { id: "search", title: "Find a station", accelerator: "CmdOrCtrl+F", key: "/" },
  { id: "fetch", title: "Fetch", accelerator: "CmdOrCtrl+D", key: "f", also: "download get" },
  {
    id: "export",
    title: "Export",
    accelerator: "CmdOrCtrl+E",
    key: "e",
    also: "netcdf nc csv parquet sinex tro sqlite file save code python julia matlab",
  },
  { id: "jobs", title: "Downloads and exports", accelerator: "CmdOrCtrl+J", also: "jobs progress status network" },
  { id: "connect", title: "Connect", accelerator: "CmdOrCtrl+O" },
  { id: "files.open", title: "Open a file", accelerator: "CmdOrCtrl+Shift+O" },
  { id: "files.open-folder", title: "Open a folder of files", also: "directory dataset parquet" },
  { id: "views.save", title: "Save this view", accelerator: "CmdOrCtrl+S" },
  { id: "views.share", title: "Share this view with its data", also: "session file colleague send" },
  { id: "views.open-file", title: "Open a file from a colleague", also: "views session" },
  { id: "details", title: "Details of the station", key: "i", also: "position height rate network identifier" },
  {
    id: "catalogue.refresh",
    title: "Refresh the station list",
    accelerator: "CmdOrCtrl+Shift+R",
    also: "catalogue update",
  },
  { id: "morning", title: "Morning", key: "m", also: "today yesterday overview my stations silent dashboard" },
  { id: "view.series", title: "Series", accelerator: "CmdOrCtrl+1", key: "1" },
  { id: "view.map", title: "Map", accelerator: "CmdOrCtrl+2", key: "2", also: "lasso snapshot live" },
  { id: "view.satellites", title: "Satellites", accelerator: "CmdOrCtrl+3", key: "3" },
  { id: "view.availability", title: "Availability", accelerator: "CmdOrCtrl+4", key: "4" },
  { id: "view.compare", title: "Compare", accelerator: "CmdOrCtrl+5", key: "5" },
  { id: "view.table", title: "Table of rows", accelerator: "CmdOrCtrl+6", key: "6" },
  { id: "gaps", title: "Gaps and their causes", key: "g", also: "why missing reason outage absent find causes" },
  { id: "figure", title: "Save figure", key: "p", also: "image picture plot png svg pdf vector copy paper print" },
  { id: "animation", title: "Save animation", also: "gif png frames film movie video" },
  { id: "statistics", title: "Statistics of the visible range", key: "s", also: "mean std percentile" },
  { id: "annotate", title: "Thresholds and notes", key: "n", also: "line limit annotation event remark" },
  { id: "beside", title: "Compare with last year", also: "beside year before season earlier" },
  { id: "hovmoller", title: "Hovmöller diagram", also: "arrangement time series" },
  { id: "copy", title: "Copy rows", also: "clipboard table" },
  { id: "raw-rows", title: "Rejected data", key: "r", also: "raw rows quality filter" },
  { id: "time.back", title: "Step back in time", accelerator: "CmdOrCtrl+[", key: "[" },
  { id: "time.forward", title: "Step forward in time", accelerator: "CmdOrCtrl+]", key: "]" },
  { id: "range.back", title: "Previous time range", accelerator: "Alt+Left" },
  { id: "range.forward", title: "Next time range", accelerator: "Alt+Right" },
  { id: "interval.native", title: "Every observation", also: "interval native rows raw rate" },
  { id: "interval.hour", title: "Hourly means", also: "1 h hour interval averages" },
  { id: "interval.day", title: "Daily means", also: "1 d day 24 h interval averages" },
  { id: "zoom.in", title: "Shorter time range", key: "+" },
  { id: "zoom.out", title: "Longer time range", key: "-" },
  { id: "theme.system", title: "Theme of the system" },
  { id: "theme.light", title: "Light theme" },
  { id: "theme.dark", title: "Dark theme" },
  { id: "undo", title: "Undo", accelerator: "CmdOrCtrl+Z", also: "take back restore" },
  { id: "redo", title: "Redo", accelerator: "CmdOrCtrl+Y", also: "again repeat" },
  { id: "schedules", title: "Schedules", also: "repeat daily every morning cron timer automatic" },
  { id: "schedules.new", title: "New schedule from the selection", also: "repeat daily cron timer automatic" },
  {
    id: "storage",
    title: "Storage",
    also: "cache disk free space maximum size limit repair check compact forget quarantine adopt",
  },
  { id: "settings", title: "Settings", accelerator: "CmdOrCtrl+," },
  { id: "new-window", title: "New window", accelerator: "CmdOrCtrl+N" },
  { id: "region.next", title: "Next part of the window", accelerator: "F6", also: "focus pane" },
  { id: "region.previous", title: "Previous part of the window", accelerator: "Shift+F6", also: "focus pane" },
  { id: "guide", title: "Guide", accelerator: "F1" },
  { id: "shortcuts", title: "Keyboard shortcuts", accelerator: "CmdOrCtrl+/", key: "?" },
  { id: "log", title: "Show log", also: "errors faults causes messages" },
  { id: "about", title: "About Zenith Desk" },
] as const satisfies readonly Command[];

export type CommandId = (typeof COMMANDS)[number]["id"];

/** The commands that show a view, in the order of their keys. */
export const VIEW_COMMANDS: readonly CommandId[] = COMMANDS.map(({ id }) => id).filter((id) => id.startsWith("view."));

export function commandOf(id: CommandId): Command {
  const command = COMMANDS.find((c) => c.id === id);
  if (!command) throw new Error(`no command ${id}`);
  return command;
}

export function isCommandId(id: string): id is CommandId {
  return COMMANDS.some((c) => c.id === id);
}
