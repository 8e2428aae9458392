// Keeps a processor busy until its parent ends. Yields regularly to notice that.
process.on("disconnect", () => process.exit());

function spin(): void {
  const untilMs = performance.now() + 50;
  while (performance.now() < untilMs);
  setImmediate(spin);
}
spin();
