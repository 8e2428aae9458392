"""The queries of docs/scale.md in one engine: `queries.py ENGINE FOLDER`. Prints results, versions, seconds and memory as JSON.

The folder has the datasets all.parquet and other.parquet, and stations.csv.
"""
import json, os, sys, threading, time

engine, folder = sys.argv[1], sys.argv[2]
os.chdir(folder)
os.environ["TZ"] = "UTC"
PATTERN = "{}.parquet/**/*.parquet"


def numpy_rows():
    """The expected results, from the rows as pyarrow reads them, with numpy alone."""
    import numpy, pyarrow, pyarrow.dataset, csv

    def load(name):
        columns = ["station_id", "month", "time", "ztd_mm", "pwv_mm"]
        table = pyarrow.dataset.dataset(f"{name}.parquet", partitioning="hive").to_table(columns=columns)
        get = lambda c: table[c].to_numpy(zero_copy_only=False)
        return get("station_id").astype(str), get("month").astype(str), get("time").astype("datetime64[ms]").astype("int64"), get("ztd_mm"), get("pwv_mm")

    def grouped(keys, values):
        names, at = numpy.unique(keys, return_inverse=True)
        kept = ~numpy.isnan(values)
        count = numpy.bincount(at[kept], minlength=len(names))
        total = numpy.bincount(at[kept], weights=values[kept], minlength=len(names))
        return names, count, total, at

    station, month, ms, ztd, pwv = load("all")
    pair = numpy.char.add(numpy.char.add(station, "|"), month)
    names, count, total, _ = grouped(pair, ztd)
    first = {n: n.split("|") for n in names}
    days = lambda m: int((numpy.datetime64(m, "M") + 1).astype("datetime64[D]").astype(int) - numpy.datetime64(m, "M").astype("datetime64[D]").astype(int))
    complete = [[*first[n], c / (2880 * days(first[n][1]))] for n, c in zip(names, count)]
    day = numpy.char.add(numpy.char.add(station, "|"), (ms // 86_400_000).astype(str))
    _, dcount, dtotal, dat = grouped(day, pwv)
    with numpy.errstate(invalid="ignore", divide="ignore"):
        anomaly = pwv - (dtotal / dcount)[dat]
    hour = numpy.char.add(numpy.char.add(station, "|"), numpy.char.zfill((ms // 3_600_000 % 24).astype(str), 2))
    names, count, total, _ = grouped(hour, anomaly)
    cycle = [[n.split("|")[0], int(n.split("|")[1]), t / c] for n, c, t in zip(names, count, total) if c]
    hours = lambda s, m: numpy.char.add(numpy.char.add(s, "|"), (m // 3_600_000).astype(str))
    names, count, total, _ = grouped(hours(station, ms), ztd)
    station2, _, ms2, ztd2, _ = load("other")
    names2, count2, total2, _ = grouped(hours(station2, ms2), ztd2)
    ours = {n: t / c for n, c, t in zip(names, count, total) if c}
    theirs = {n: t / c for n, c, t in zip(names2, count2, total2) if c}
    differences = {}
    for key in ours.keys() & theirs.keys():
        differences.setdefault(key.split("|")[0], []).append(ours[key] - theirs[key])
    bias = [[s, len(d), float(numpy.mean(d))] for s, d in sorted(differences.items())]
    country = {r["station_id"]: r["country_code"] for r in csv.DictReader(open("stations.csv", encoding="utf-8"))}
    names, count, total, _ = grouped(numpy.array([country[s] for s in station]), ztd)
    return complete, cycle, bias, [[n, t / c] for n, c, t in zip(names, count, total)], numpy.__version__


SQL = [
    """SELECT station_id, month, count(ztd_mm) / (2880.0 * day(last_day(min(time)))) FROM {all} GROUP BY station_id, month ORDER BY 1, 2""",
    """SELECT station_id, hour(time) AS h, avg(anomaly) FROM (
         SELECT station_id, time, pwv_mm - avg(pwv_mm) OVER (PARTITION BY station_id, date_trunc('day', time)) AS anomaly FROM {all}
       ) r WHERE anomaly IS NOT NULL GROUP BY station_id, hour(time) ORDER BY 1, 2""",
    """SELECT a.station_id, count(*), avg(a.ztd - b.ztd) FROM
         (SELECT station_id, date_trunc('hour', time) AS hour, avg(ztd_mm) AS ztd FROM {all} GROUP BY station_id, date_trunc('hour', time)) a
         JOIN (SELECT station_id, date_trunc('hour', time) AS hour, avg(ztd_mm) AS ztd FROM {other} GROUP BY station_id, date_trunc('hour', time)) b
         ON a.station_id = b.station_id AND a.hour = b.hour
       WHERE a.ztd IS NOT NULL AND b.ztd IS NOT NULL GROUP BY a.station_id ORDER BY 1""",
    """SELECT country_code, avg(ztd_mm) FROM {all} r JOIN {stations} s ON r.station_id = s.station_id GROUP BY country_code ORDER BY 1""",
]


def in_duckdb():
    import duckdb

    db = duckdb.connect()
    db.execute("SET TimeZone = 'UTC'")
    read = lambda name: f"read_parquet('{PATTERN.format(name)}', hive_partitioning = true, hive_types = {{'station_id': VARCHAR, 'month': VARCHAR}})"
    tables = {"all": read("all"), "other": read("other"), "stations": "'stations.csv'"}
    return *[[list(r) for r in db.execute(q.format(**tables)).fetchall()] for q in SQL], duckdb.__version__


def in_polars():
    import polars as pl

    read = lambda name: pl.scan_parquet(PATTERN.format(name), hive_partitioning=True, hive_schema={"station_id": pl.String, "month": pl.String})
    rows = lambda frame: [list(r) for r in frame.collect(engine="streaming").rows()]
    data = read("all")
    complete = data.group_by("station_id", "month").agg(pl.col("ztd_mm").count() / (2880.0 * pl.col("time").min().dt.month_end().dt.day())).sort("station_id", "month")
    anomaly = pl.col("pwv_mm") - pl.col("pwv_mm").mean().over("station_id", pl.col("time").dt.truncate("1d"))
    cycle = data.select("station_id", pl.col("time").dt.hour().alias("hour"), anomaly.alias("a")).drop_nulls().group_by("station_id", "hour").agg(pl.col("a").mean()).sort("station_id", "hour")
    hourly = lambda name: read(name).group_by("station_id", pl.col("time").dt.truncate("1h")).agg(pl.col("ztd_mm").mean()).drop_nulls()
    bias = hourly("all").join(hourly("other"), on=["station_id", "time"]).group_by("station_id").agg(pl.len(), (pl.col("ztd_mm") - pl.col("ztd_mm_right")).mean()).sort("station_id")
    country = data.join(pl.scan_csv("stations.csv"), on="station_id").group_by("country_code").agg(pl.col("ztd_mm").mean()).sort("country_code")
    return rows(complete), rows(cycle), rows(bias), rows(country), pl.__version__


def in_dask():
    import dask, dask.dataframe as dd, pandas
    from distributed import Client, LocalCluster

    cluster = LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=40)
    with cluster, Client(cluster):
        def read(name, columns):
            frame = dd.read_parquet(f"{name}.parquet", columns=[*columns, "station_id", "month"])
            return frame.assign(station_id=frame.station_id.astype("string"), month=frame.month.astype("string"))

        data = read("all", ["time", "ztd_mm", "pwv_mm"])
        listed = lambda frame: [list(r) for r in frame.itertuples(index=False)]
        months = data.groupby(["station_id", "month"]).agg({"ztd_mm": "count", "time": "min"}).compute().reset_index()
        months["share"] = months.ztd_mm / (2880 * months.time.dt.days_in_month)
        complete = listed(months.sort_values(["station_id", "month"])[["station_id", "month", "share"]])

        # Each partition is a station and a month, which holds whole days.
        def anomalies(part):
            day = part.groupby(["station_id", part.time.dt.floor("D")], observed=True).pwv_mm.transform("mean")
            return pandas.DataFrame({"station_id": part.station_id, "hour": part.time.dt.hour, "a": part.pwv_mm - day})

        meta = {"station_id": "string", "hour": "int32", "a": "float64"}
        cycle = data.map_partitions(anomalies, meta=meta).dropna().groupby(["station_id", "hour"]).a.mean().compute().reset_index().sort_values(["station_id", "hour"])
        hourly = lambda frame: frame.assign(time=frame.time.dt.floor("h")).groupby(["station_id", "time"]).ztd_mm.mean().compute().dropna()
        both = pandas.concat([hourly(data), hourly(read("other", ["time", "ztd_mm"]))], axis=1, join="inner", keys=["a", "b"])
        bias = (both.a - both.b).groupby("station_id").agg(["size", "mean"]).reset_index().sort_values("station_id")
        stations = pandas.read_csv("stations.csv", dtype={"station_id": "string"}, keep_default_na=False)
        country = data[["station_id", "ztd_mm"]].merge(stations[["station_id", "country_code"]], on="station_id").groupby("country_code").ztd_mm.mean().compute().sort_index().reset_index()
        return complete, listed(cycle), listed(bias), listed(country), dask.__version__


def in_spark():
    import pyspark
    from pyspark.sql import SparkSession

    spark = (
        SparkSession.builder.master("local-cluster[2,1,1024]").config("spark.sql.session.timeZone", "UTC")
        .config("spark.ui.enabled", False).config("spark.sql.shuffle.partitions", 8)
        .config("spark.sql.sources.partitionColumnTypeInference.enabled", False).getOrCreate()
    )
    spark.sparkContext.setLogLevel("ERROR")
    for name in ["all", "other"]:
        spark.read.parquet(f"{folder}/{name}.parquet").createOrReplaceTempView(f"{name}_rows")
    spark.read.csv(f"{folder}/stations.csv", header=True).createOrReplaceTempView("stations")
    tables = {"all": "all_rows", "other": "other_rows", "stations": "stations"}
    found = [[list(r) for r in spark.sql(q.format(**tables)).collect()] for q in SQL]
    spark.stop()
    return *found, pyspark.__version__


def memory(peak):
    import psutil

    own = psutil.Process()
    while True:
        total = 0
        for process in [own, *own.children(recursive=True)]:
            try: total += process.memory_info().rss
            except psutil.Error: pass
        peak[0] = max(peak[0], total)
        time.sleep(0.1)


if __name__ == "__main__":
    peak = [0]
    threading.Thread(target=memory, args=(peak,), daemon=True).start()
    start = time.monotonic()
    run = {"numpy": numpy_rows, "DuckDB": in_duckdb, "Polars": in_polars, "Dask": in_dask, "Spark": in_spark}[engine]
    *found, version = run()
    plain = lambda v: float(v) if isinstance(v, float) or hasattr(v, "as_tuple") else v.item() if hasattr(v, "item") else v
    results = [[[plain(v) for v in row] for row in rows] for rows in found]
    print("\n" + json.dumps({"results": results, "version": version, "seconds": time.monotonic() - start, "megabytes": peak[0] / 1e6}))
