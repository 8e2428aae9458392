import type { GeoProjection } from "d3-geo";
import {
  type Camera,
  clampScale,
  movedCamera,
  projectionOf,
  type Shift,
  type Size,
  UNMOVED,
  wholeWorld,
  zoomedAround,
} from "./camera.ts";

/** Where a map looks: for what it was projected, and how far it was moved since. A value: changes make another one. */
export interface View {
  readonly size: Size;
  readonly camera: Camera;
  readonly projection: GeoProjection;
  readonly shift: Shift;
}

export function viewOf(wanted: Camera, size: Size): View {
  // Where the whole world is in sight, its poles stay at the edges.
  const camera = isWhole(wanted, size) ? { ...wanted, latitudeDeg: 0 } : wanted;
  return { size, camera, projection: projectionOf(camera, size), shift: UNMOVED };
}

/** Where it looks now, movement included. */
export function cameraOf({ camera, size, projection, shift }: View): Camera {
  return shift === UNMOVED ? camera : movedCamera(camera, size, projection, shift);
}

export function lookingAt({ size }: View, camera: Camera): View {
  return viewOf({ ...camera, scale: clampScale(camera.scale, size) }, size);
}

/** On a canvas of another size: what shows the whole world goes on doing so. */
export function resized(view: View, size: Size): View {
  const camera = cameraOf(view);
  const scale = isWhole(view.camera, view.size) ? wholeWorld(size).scale : clampScale(camera.scale, size);
  return viewOf({ ...camera, scale }, size);
}

export function panned(view: View, dx: number, dy: number): View {
  const { shift } = view;
  return { ...view, shift: { ...shift, x: shift.x + dx, y: shift.y + dy } };
}

/** The same view where it cannot be zoomed any further. */
export function zoomed(view: View, factor: number, atX: number, atY: number): View {
  const { camera, shift, size } = view;
  const wanted = clampScale(camera.scale * shift.k * factor, size) / (camera.scale * shift.k);
  return Math.abs(wanted - 1) < 1e-6 ? view : { ...view, shift: zoomedAround(shift, wanted, atX, atY) };
}

/** Whether it was moved so far that what was drawn no longer fills it: that reaches a map's width beyond the edges. */
export function isFarMoved({ shift: { k, x, y }, size: { widthPx, heightPx } }: View): boolean {
  const isAside = Math.abs(x - ((1 - k) * widthPx) / 2) > 0.8 * widthPx;
  return isAside || Math.abs(y - ((1 - k) * heightPx) / 2) > 0.8 * heightPx || k > 4 || k < 0.4;
}

function isWhole({ scale }: Camera, size: Size): boolean {
  return scale <= 1.02 * wholeWorld(size).scale;
}
