/** A dose of a medicine, by one of its plans. */
export interface PlannedDose {
  /** Milliseconds. */
  readonly at: number;
  /** Names the plan: the doses of one plan are as far from each other as somebody ordered them. */
  readonly plan: number;
  /** How close a dose of another plan may come, in milliseconds. */
  readonly distance: number;
}

/** The doses of a medicine about the instant at which its plan changes, each list in order. */
export interface Change {
  /** Taken, or to be answered now: they stay. */
  readonly fixed: readonly PlannedDose[];
  /** To come by the new plan. */
  readonly coming: readonly PlannedDose[];
  /** To come by former plans. */
  readonly carried: readonly PlannedDose[];
}

/**
 * Returns the instants of the doses to leave out, so that no two doses of different plans are
 * closer than either plan allows: of the new plan what would follow on one that stays, of former
 * plans what would come close to any other.
 */
export function tooClose({ fixed, coming, carried }: Change): number[] {
  const kept = [...fixed];
  const left: number[] = [];
  for (const dose of coming) {
    if (fixed.some((other) => isClose(dose, other))) left.push(dose.at);
    else kept.push(dose);
  }
  for (const dose of carried) {
    if (left.includes(dose.at)) continue;
    if (kept.some((other) => isClose(dose, other))) left.push(dose.at);
    else kept.push(dose);
  }
  return left;
}

/** Two plans that meet at one instant have one dose there. */
function isClose(one: PlannedDose, other: PlannedDose): boolean {
  const apart = Math.abs(one.at - other.at);
  return one.plan !== other.plan && apart > 0 && apart < Math.min(one.distance, other.distance);
}
