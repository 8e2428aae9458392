// Named exactly: else the types of every coordinate in these files would be inferred.
declare module "world-atlas/countries-110m.json" {
  const topology: unknown;
  export default topology;
}
declare module "world-atlas/countries-50m.json" {
  const topology: unknown;
  export default topology;
}
