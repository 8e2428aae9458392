import type { GeoProjection } from "d3-geo";
import {
  type Camera,
  clampScale,
  createProjection,
  NO_SHIFT,
  type Shift,
  shiftCamera,
  type Size,
  worldScale,
  zoomShift,
} from "./camera.ts";

/** The camera for which a map was projected, and its movement since. Immutable. */
export interface View {
  readonly size: Size;
  readonly camera: Camera;
  readonly projection: GeoProjection;
  readonly shift: Shift;
}

export function createView(wanted: Camera, size: Size): View {
  // A map of the whole world keeps the poles at its edges.
  const camera = showsWholeWorld(wanted, size) ? { ...wanted, latitudeDeg: 0 } : wanted;
  return { size, camera, projection: createProjection(camera, size), shift: NO_SHIFT };
}

/** Returns the camera after the movement. */
export function currentCamera({ camera, size, projection, shift }: View): Camera {
  return shift === NO_SHIFT ? camera : shiftCamera(camera, size, projection, shift);
}

export function lookAt({ size }: View, camera: Camera): View {
  return createView({ ...camera, scale: clampScale(camera.scale, size) }, size);
}

/** Fits a view to another canvas size: a map of the whole world still shows all of it. */
export function resizeView(view: View, size: Size): View {
  const camera = currentCamera(view);
  const scale = showsWholeWorld(view.camera, view.size) ? worldScale(size) : clampScale(camera.scale, size);
  return createView({ ...camera, scale }, size);
}

export function panView(view: View, dx: number, dy: number): View {
  const { shift } = view;
  return { ...view, shift: { ...shift, x: shift.x + dx, y: shift.y + dy } };
}

/** Zooms around a screen position; returns the same view if it cannot be zoomed any further. */
export function zoomView(view: View, factor: number, atX: number, atY: number): View {
  const { camera, shift, size } = view;
  const wanted = clampScale(camera.scale * shift.k * factor, size) / (camera.scale * shift.k);
  return Math.abs(wanted - 1) < 1e-6 ? view : { ...view, shift: zoomShift(shift, wanted, atX, atY) };
}

/** Whether the view was moved too far for the drawn map, which extends one width and height beyond each edge. */
export function isFarMoved({ shift: { k, x, y }, size: { widthPx, heightPx } }: View): boolean {
  const isAside = Math.abs(x - ((1 - k) * widthPx) / 2) > 0.8 * widthPx;
  return isAside || Math.abs(y - ((1 - k) * heightPx) / 2) > 0.8 * heightPx || k > 4 || k < 0.4;
}

function showsWholeWorld({ scale }: Camera, size: Size): boolean {
  return scale <= 1.02 * worldScale(size);
}
