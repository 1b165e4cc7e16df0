/** The least and the most that a number may be. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}
