/** From when on the plan counts of a medicine that is paused until somebody resumes it. */
export const FAR = new Date('9999-12-30T00:00:00Z');

/** A year before it: a move to another zone shifts the instant by hours. */
const BEYOND = new Date('9998-12-30T00:00:00Z');

/** Returns whether a medicine is paused until somebody resumes it. */
export const isPaused = ({ planFrom }: { readonly planFrom: Date | null }): boolean =>
  planFrom !== null && planFrom > BEYOND;
