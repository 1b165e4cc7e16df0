/** Mean radius of the earth in meters (IUGG). */
const RADIUS = 6_371_008.8;
const DEGREE = Math.PI / 180;

/** Returns the point of a place on the sphere of radius 1 around the centre of the earth. */
export function pointOf(latitude: number, longitude: number): [number, number, number] {
  const [north, east] = [latitude * DEGREE, longitude * DEGREE];
  return [Math.cos(north) * Math.cos(east), Math.cos(north) * Math.sin(east), Math.sin(north)];
}

/** Returns the distance on the ground, in meters, of two points that are so far apart in a line. */
export const groundOf = (line: number): number => 2 * RADIUS * Math.asin(Math.min(1, line / 2));

/** Returns how far two points are apart in a line that are so many meters apart on the ground. */
export const lineOf = (meters: number): number =>
  2 * Math.sin(Math.min(meters / (2 * RADIUS), Math.PI / 2));
