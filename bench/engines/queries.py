"""The queries of docs/scale.md in one engine: `queries.py ENGINE FOLDER`. Prints results, versions, seconds and memory as JSON.

The folder has the datasets all.parquet and other.parquet, and stations.csv.
"""
import json, os, sys, threading, time

engine, folder = sys.argv[1], sys.argv[2]
os.chdir(folder)
os.environ["TZ"] = "UTC"
PATTERN = "{}.parquet/**/*.parquet"


def numpy_rows():
    """The expected results, from the rows of one station after another, as pyarrow reads them, with numpy alone."""
    import csv, glob, numpy, pyarrow.parquet
    from urllib.parse import unquote

    HOUR, DAY = 3_600_000, 86_400_000
    folders = lambda name: {unquote(path.split("station_id=")[1]): path for path in sorted(glob.glob(f"{name}.parquet/station_id=*"))}

    def months(path):
        for file in sorted(glob.glob(f"{path}/month=*/*.parquet")):
            table = pyarrow.parquet.ParquetFile(file).read(columns=["time", "ztd_mm", "pwv_mm"])
            get = lambda c: table[c].to_numpy(zero_copy_only=False)
            yield file.split("month=")[1].split("/")[0], get("time").astype("datetime64[ms]").astype("int64"), get("ztd_mm"), get("pwv_mm")

    def sums(at, values, length):
        kept = ~numpy.isnan(values)
        return numpy.bincount(at[kept], minlength=length), numpy.bincount(at[kept], weights=values[kept], minlength=length)

    def means(ms, values, span):
        """Means by spans of time: their number since 1970, and the mean of each that has values."""
        names, at = numpy.unique(ms // span, return_inverse=True)
        count, total = sums(at, values, len(names))
        with numpy.errstate(invalid="ignore", divide="ignore"):
            return names, total / count, at

    def days(month):
        first = numpy.datetime64(month, "M")
        return int(((first + 1).astype("datetime64[D]") - first.astype("datetime64[D]")).astype(int))

    country = {r["station_id"]: r["country_code"] for r in csv.DictReader(open("stations.csv", encoding="utf-8"))}
    complete, cycle, bias, countries = [], [], [], {}
    others = folders("other")
    for station, path in folders("all").items():
        parts = list(months(path))
        complete += [[station, month, int(numpy.count_nonzero(~numpy.isnan(ztd))) / (2880 * days(month))] for month, _, ztd, _ in parts]
        ms, ztd, pwv = (numpy.concatenate([part[i] for part in parts]) for i in (1, 2, 3))
        _, mean, at = means(ms, pwv, DAY)
        count, total = sums(ms // HOUR % 24, pwv - mean[at], 24)
        cycle += [[station, hour, total[hour] / count[hour]] for hour in range(24) if count[hour]]
        if station in others:
            theirs = list(months(others[station]))
            ms2, ztd2 = (numpy.concatenate([part[i] for part in theirs]) for i in (1, 2))
            hours, mean, _ = means(ms, ztd, HOUR)
            hours2, mean2, _ = means(ms2, ztd2, HOUR)
            _, first, second = numpy.intersect1d(hours, hours2, return_indices=True)
            found = (mean[first] - mean2[second])[~numpy.isnan(mean[first] - mean2[second])]
            if len(found): bias.append([station, len(found), float(numpy.mean(found))])
        count, total = countries.get(country[station], (0, 0.0))
        countries[country[station]] = count + numpy.count_nonzero(~numpy.isnan(ztd)), total + numpy.nansum(ztd)
    return complete, cycle, bias, [[name, total / count] for name, (count, total) in sorted(countries.items())], numpy.__version__


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
        # The names of folders are categories: as texts, the queries take several times longer.
        read = lambda name, columns: dd.read_parquet(f"{name}.parquet", columns=[*columns, "station_id", "month"])
        data = read("all", ["time", "ztd_mm", "pwv_mm"])
        listed = lambda frame: [list(r) for r in frame.itertuples(index=False)]
        months = data.groupby(["station_id", "month"], observed=True).agg({"ztd_mm": "count", "time": "min"}).compute().reset_index()
        months["share"] = months.ztd_mm / (2880 * months.time.dt.days_in_month)
        complete = listed(months.sort_values(["station_id", "month"])[["station_id", "month", "share"]])

        # Each partition is a station and a month, which holds whole days.
        def anomalies(part):
            day = part.groupby(["station_id", part.time.dt.floor("D")], observed=True).pwv_mm.transform("mean")
            return pandas.DataFrame({"station_id": part.station_id, "hour": part.time.dt.hour, "a": part.pwv_mm - day})

        meta = {"station_id": data.station_id.dtype, "hour": "int32", "a": "float64"}
        cycle = data.map_partitions(anomalies, meta=meta).dropna().groupby(["station_id", "hour"], observed=True).a.mean().compute().reset_index().sort_values(["station_id", "hour"])
        hourly = lambda frame: frame.assign(time=frame.time.dt.floor("h")).groupby(["station_id", "time"], observed=True).ztd_mm.mean().compute().dropna().reset_index().astype({"station_id": str}).set_index(["station_id", "time"]).ztd_mm
        both = pandas.concat([hourly(data), hourly(read("other", ["time", "ztd_mm"]))], axis=1, join="inner", keys=["a", "b"])
        bias = (both.a - both.b).groupby("station_id").agg(["size", "mean"]).reset_index().sort_values("station_id")
        stations = pandas.read_csv("stations.csv", dtype={"station_id": data.station_id.dtype}, keep_default_na=False)
        country = data[["station_id", "ztd_mm"]].merge(stations[["station_id", "country_code"]], on="station_id").groupby("country_code").ztd_mm.mean().compute().sort_index().reset_index()
        return complete, listed(cycle), listed(bias), listed(country), dask.__version__


def in_spark():
    import pyspark
    from pyspark.sql import SparkSession

    spark = (
        SparkSession.builder.master("local-cluster[2,1,1024]").config("spark.sql.session.timeZone", "UTC")
        .config("spark.ui.enabled", False).config("spark.sql.shuffle.partitions", 64)
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
