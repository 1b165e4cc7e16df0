/** How many cases a property tries: in `npm test` and the gate a fixed few, at night many. */
export function budget(gate: number, nightly: number): number {
  return process.env.NIGHTLY ? nightly : gate;
}
