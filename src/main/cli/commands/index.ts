import type { Declare } from "../command.ts";

/** A line of the program's help, and what declares the command. */
interface Listed {
  readonly summary: string;
  /** Imports the command's file, which only its own calls and its own help need. */
  readonly load: () => Promise<Declare>;
}

/** All commands by name, in the order of the program's help, under its headings. */
export const COMMANDS: Readonly<Record<string, Readonly<Record<string, Listed>>>> = {
  "From the service to a file:": {
    connect: {
      summary: "connect to a service: test its address and your key, then save both",
      load: async () => (await import("./connect.ts")).addConnect,
    },
    stations: {
      summary: "list the stations available to you",
      load: async () => (await import("./stations.ts")).addStations,
    },
    plan: {
      summary: "estimate a download without sending anything",
      load: async () => (await import("./fetch.ts")).addPlan,
    },
    fetch: {
      summary: "download measurements that the cache lacks",
      load: async () => (await import("./fetch.ts")).addFetch,
    },
    export: {
      summary: "write cached measurements as NetCDF, CSV, Excel, Parquet, SINEX_TRO, COST-716, SQLite or Zarr files",
      load: async () => (await import("./export.ts")).addExport,
    },
  },
  "More:": {
    station: {
      summary: "show all details of one station",
      load: async () => (await import("./station.ts")).addStation,
    },
    networks: {
      summary: "list the networks of the stations",
      load: async () => (await import("./stations.ts")).addNetworks,
    },
    group: {
      summary: "named groups of stations: list, add, remove",
      load: async () => (await import("./group.ts")).addGroup,
    },
    nearest: {
      summary: "show the observation nearest to a moment for each station",
      load: async () => (await import("./nearest.ts")).addNearest,
    },
    resample: {
      summary: "average cached observations over any interval, without the service",
      load: async () => (await import("./resample.ts")).addResample,
    },
    availability: {
      summary: "list the days on which the service has data",
      load: async () => (await import("./availability.ts")).addAvailability,
    },
    gaps: {
      summary: "list missing values: cause, start, end, duration",
      load: async () => (await import("./gaps.ts")).addGaps,
    },
    figure: {
      summary: "draw cached series as an SVG or PDF figure",
      load: async () => (await import("./figure.ts")).addFigure,
    },
    open: {
      summary: "describe files: stations, quantities, units, rows and times",
      load: async () => (await import("./open.ts")).addOpen,
    },
    compare: {
      summary: "compare the cache or a file with another product: bias, spread, trend, report",
      load: async () => (await import("./compare.ts")).addCompare,
    },
    jobs: {
      summary: "list downloads, and which of them can be resumed",
      load: async () => (await import("./jobs.ts")).addJobs,
    },
    exports: {
      summary: "list the exports saved in the window, or delete one",
      load: async () => (await import("./exports.ts")).addExports,
    },
    schedule: {
      summary: "downloads and exports that repeat: list, add, run, install for the system",
      load: async () => (await import("./schedule.ts")).addSchedule,
    },
    watch: {
      summary: "list stations that are silent",
      load: async () => (await import("./stations.ts")).addWatch,
    },
    session: {
      summary: "share saved views, optionally with data, as one file; open such a file",
      load: async () => (await import("./session.ts")).addSession,
    },
    cache: {
      summary: "inspect, trim, repair and compact the cache of a connection",
      load: async () => (await import("./cache.ts")).addCache,
    },
    restore: {
      summary: "restore a backup of connections, views, schedules and jobs",
      load: async () => (await import("./restore.ts")).addRestore,
    },
    log: {
      summary: "show starts, ends and failures, with their causes",
      load: async () => (await import("./log.ts")).addLog,
    },
    version: {
      summary: "show the version and what it needs, and check for a newer one",
      load: async () => (await import("./about.ts")).addVersion,
    },
    completion: {
      summary: "print a script that completes commands and options in a shell",
      load: async () => (await import("./about.ts")).addCompletion,
    },
    help: {
      summary: "show help for a command, or a page of the guide",
      load: async () => (await import("./about.ts")).addHelp,
    },
  },
  "The window in a browser:": {
    web: {
      summary: "open the window in a browser, on this computer or through an SSH tunnel",
      load: async () => (await import("./web.ts")).addWeb,
    },
  },
  "Without a service:": {
    demo: {
      summary: "run a demonstration: a month of a dozen stations, from the embedded service to files",
      load: async () => (await import("./demo.ts")).addDemo,
    },
    service: {
      summary: "run the reference service on this computer",
      load: async () => (await import("./service.ts")).addService,
    },
  },
};
