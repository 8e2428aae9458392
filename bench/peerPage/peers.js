// Runs in a separate page and draws the same arrays, as a page would that passes all of its points to a library.
// Rasterization is forced within the measured time, as it is for ours.
const WIDTH = 980;
const HEIGHT = 420;

function rasterize() {
  for (const canvas of document.querySelectorAll("canvas")) canvas.getContext("2d").getImageData(0, 0, 1, 1);
}

function timed(work) {
  const startedMs = performance.now();
  work();
  rasterize();
  return performance.now() - startedMs;
}

/** The views of a typical user action: a pan back and forth, then a zoom in. */
function views(startMs, endMs, n) {
  const span = endMs - startMs;
  return Array.from({ length: n }, (_, i) => {
    if (i < n / 2) {
      const shift = (Math.abs(n / 4 - i) / n) * span * 0.2;
      return [startMs + shift, endMs + shift];
    }
    const shrink = ((i - n / 2) / n) * 0.8;
    return [startMs + span * shrink * 0.5, endMs - span * shrink * 0.5];
  });
}

const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));

/** @param arrays one of values per station, all at the same times; NaN if missing */
window.measureUplot = async (times, arrays, frames) => {
  const host = document.body.appendChild(document.createElement("div"));
  // uPlot uses null for missing values. The conversion is work of the page, not of the library.
  const data = [times, ...arrays.map((values) => Array.from(values, (v) => (Number.isNaN(v) ? null : v)))];
  const options = {
    width: WIDTH,
    height: HEIGHT,
    ms: 1,
    series: [{}, ...arrays.map((_, i) => ({ stroke: ["#0072b2", "#c25700", "#00795a"][i % 3], spanGaps: false }))],
  };
  let plot;
  const firstMs = timed(() => {
    plot = new uPlot(options, data, host);
    plot.batch(() => {});
  });
  const each = [];
  for (const [min, max] of views(times[0], times[times.length - 1], frames)) {
    await nextFrame();
    each.push(timed(() => plot.batch(() => plot.setScale("x", { min, max }))));
  }
  plot.destroy();
  host.remove();
  return { firstMs, frames: each };
};

window.measureEcharts = async (times, arrays, frames) => {
  const host = document.body.appendChild(document.createElement("div"));
  host.style.cssText = `width:${WIDTH}px;height:${HEIGHT}px`;
  let chart;
  const firstMs = timed(() => {
    chart = echarts.init(host, null, { renderer: "canvas" });
    chart.setOption({
      animation: false,
      xAxis: { type: "time" },
      yAxis: { type: "value", scale: true },
      dataZoom: [{ type: "inside" }],
      series: arrays.map((values) => {
        const pairs = new Float64Array(values.length * 2);
        for (let i = 0; i < values.length; i++) {
          pairs[2 * i] = times[i];
          pairs[2 * i + 1] = values[i];
        }
        return {
          type: "line",
          sampling: "minmax",
          showSymbol: false,
          large: true,
          dimensions: ["t", "v"],
          data: pairs,
        };
      }),
    });
    chart.getZr().flush();
  });
  const each = [];
  for (const [startValue, endValue] of views(times[0], times[times.length - 1], frames)) {
    await nextFrame();
    each.push(
      timed(() => {
        chart.dispatchAction({ type: "dataZoom", startValue, endValue }, { flush: true });
        chart.getZr().flush();
      }),
    );
  }
  chart.dispose();
  host.remove();
  return { firstMs, frames: each };
};

/** @param epochs number of epochs per station @param stations number of stations */
window.load = async (epochs, stations) => {
  const bytes = await (await fetch("/data.bin")).arrayBuffer();
  const times = new Float64Array(bytes, 0, epochs);
  const arrays = Array.from({ length: stations }, (_, s) => new Float64Array(bytes, (s + 1) * epochs * 8, epochs));
  window.data = { times, arrays };
};
