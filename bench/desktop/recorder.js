// Runs in the page before the application. Records how long the page works in every frame, and when lines were drawn
// after a click. Rasterization is forced within the measured time, since it would otherwise happen later, unmeasured.
(() => {
  const now = performance.now.bind(performance);
  const nextFrame = window.requestAnimationFrame.bind(window);
  const bench = { isOn: false, frames: [], work: 0, clickMs: NaN, drawnMs: NaN, wanted: "", mostHeapBytes: 0 };
  window.bench = bench;

  function rasterize() {
    for (const canvas of document.querySelectorAll(".uplot canvas, canvas[data-drawn]"))
      canvas.getContext("2d")?.getImageData(0, 0, 1, 1);
  }

  window.requestAnimationFrame = (callback) =>
    nextFrame((time) => {
      const startedMs = now();
      callback(time);
      if (bench.isOn) rasterize();
      bench.work += now() - startedMs;
    });

  let startedMs = 0;
  for (const type of [
    "wheel",
    "pointermove",
    "mousemove",
    "pointerdown",
    "pointerup",
    "keydown",
    "beforeinput",
    "input",
  ]) {
    window.addEventListener(type, () => (startedMs = now()), { capture: true, passive: true });
    window.addEventListener(type, () => (bench.work += now() - startedMs), { passive: true });
  }
  window.addEventListener("click", (event) => (bench.clickMs = event.timeStamp), true);

  let lastMs = now();
  let frames = 0;
  const eachFrame = (timeMs) => {
    if (bench.isOn) bench.frames.push({ ms: timeMs - lastMs, work: bench.work });
    bench.work = 0;
    lastMs = timeMs;
    // Reading it takes a millisecond.
    if (++frames % 30 === 0)
      bench.mostHeapBytes = Math.max(bench.mostHeapBytes, performance.memory?.usedJSHeapSize ?? 0);
    nextFrame(eachFrame);
  };
  nextFrame(eachFrame);

  const PATIENCE_MS = 60_000;
  let resolveDrawn = null;
  let needsClick = false;
  let hasChanged = false;
  new MutationObserver((records) => {
    if (!Number.isNaN(bench.drawnMs) || bench.wanted === "") return;
    // Lines from before the click do not count, even if they are drawn again: the mark is removed when they are outdated.
    const isNew = records.some(({ type, oldValue }) => type === "attributes" && oldValue === null);
    if (isNew) hasChanged ||= !needsClick || !Number.isNaN(bench.clickMs);
    const panels = [...document.querySelectorAll("[data-drawn]")];
    const isDrawn = panels.length > 0 && panels.every((panel) => panel.dataset.drawn === bench.wanted);
    if (!isDrawn || !hasChanged) return;
    rasterize();
    bench.drawnMs = now();
    resolveDrawn?.();
  }).observe(document, { subtree: true, attributeFilter: ["data-drawn"], attributeOldValue: true });

  bench.expectDrawn = (stations, afterClick) => {
    needsClick = afterClick;
    hasChanged = false;
    bench.wanted = String(stations);
    bench.drawnMs = NaN;
    bench.clickMs = NaN;
    bench.whenDrawn = new Promise((resolve, reject) => {
      resolveDrawn = resolve;
      setTimeout(() => reject(new Error(`${stations} stations were not drawn.`)), PATIENCE_MS);
    });
    // No one may be waiting for the promise.
    bench.whenDrawn.catch(() => {});
  };
  bench.record = () => {
    bench.frames = [];
    bench.work = 0;
    bench.isOn = true;
  };
  bench.stop = () => {
    bench.isOn = false;
    return bench.frames;
  };
})();
