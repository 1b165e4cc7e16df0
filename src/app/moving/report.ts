/** What became of the rows of a kind. */
export interface Tally {
  read: number;
  imported: number;
  changed: number;
  unchanged: number;
  /** Left out on purpose: junk, what has no place here, and what people have changed here meanwhile. */
  skipped: number;
  refused: number;
  /** Imported before, gone in the source, and removed here: not among those that were read. */
  removed: number;
}

const NONE: Tally = {
  ...{ read: 0, imported: 0, changed: 0, unchanged: 0, skipped: 0, refused: 0 },
  removed: 0,
};

export type Outcome = Exclude<keyof Tally, 'read'>;

/** What is said of a row. */
export interface Remark {
  readonly kind: string;
  /** Where it stands: a table and its key. */
  readonly at: string;
  readonly outcome: Outcome;
  readonly reason: string;
}

/** So many remarks of one reason are kept with their place; further ones are counted. */
const MOST_REMARKS = 100;

/** So many different directions that are not understood are listed, and so many characters of each. */
const MOST_DIRECTIONS = 1_000;
const LONGEST_DIRECTION = 200;

/**
 * Counts what an import does, for people and as JSON. It holds no text of a row but for directions that
 * are not understood, without whose they are: staff has to look at them.
 */
export class Report {
  /** How often each direction was not understood. */
  readonly directions = new Map<string, number>();

  readonly kinds = new Map<string, Tally>();
  readonly remarks: Remark[] = [];
  readonly reasons = new Map<string, number>();

  tally(kind: string): Tally {
    const known = this.kinds.get(kind);
    if (known) return known;
    const none = { ...NONE };
    this.kinds.set(kind, none);
    return none;
  }

  count(kind: string, outcome: Outcome): void {
    this.tally(kind)[outcome]++;
  }

  /** Says something of a row, or of several at one place, whatever became of them. */
  remark(remark: Remark, count = 1): void {
    const key = keyOf(remark);
    const before = this.reasons.get(key) ?? 0;
    this.reasons.set(key, before + count);
    if (before < MOST_REMARKS) this.remarks.push(remark);
  }

  /** Lists a direction that is not understood. */
  notUnderstood(direction: string): void {
    const shown = direction.replaceAll(/\s+/g, ' ').slice(0, LONGEST_DIRECTION);
    const before = this.directions.get(shown);
    if (before !== undefined || this.directions.size < MOST_DIRECTIONS)
      this.directions.set(shown, (before ?? 0) + 1);
  }

  /** Counts a row that was not imported, and says why. */
  leave(remark: Remark): void {
    this.count(remark.kind, remark.outcome);
    this.remark(remark);
  }

  /** Counts rows of one place that were not imported, and says why. */
  leaveAll({ count, ...remark }: Remark & { readonly count: number }): void {
    const tally = this.tally(remark.kind);
    tally.read += count;
    tally[remark.outcome] += count;
    this.remark(remark, count);
  }

  /** Returns the report as lines: a table, then each reason with its number and first places. */
  lines(): string[] {
    const columns = Object.keys(NONE) as (keyof Tally)[];
    const row = (cells: readonly (string | number)[]) =>
      cells
        .map((cell, i) => (i === 0 ? String(cell).padEnd(22) : String(cell).padStart(10)))
        .join('');
    const table = [...this.kinds].map(([kind, tally]) =>
      row([kind, ...columns.map((name) => tally[name])]),
    );
    const reasons = [...this.reasons].map(([reason, count]) => {
      const places = this.remarks.filter((one) => keyOf(one) === reason);
      const named = places.slice(0, 5).map(({ at }) => at);
      return `${String(count).padStart(6)}  ${reason} (${named.join(', ')}${count > 5 ? ', …' : ''})`;
    });
    const directions = [...this.directions]
      .sort(([, a], [, b]) => b - a)
      .map(([direction, count]) => `${String(count).padStart(6)}  ${direction}`);
    return [
      row(['', ...columns]),
      ...table,
      ...(reasons.length > 0 ? ['', ...reasons] : []),
      ...(directions.length > 0 ? ['', 'Directions that are not understood:', ...directions] : []),
    ];
  }

  /** Returns the report; `unlisted` has how many rows of a reason are not among the remarks. */
  toJSON(): object {
    const listed = new Map<string, number>();
    for (const one of this.remarks) listed.set(keyOf(one), (listed.get(keyOf(one)) ?? 0) + 1);
    const unlisted = [...this.reasons]
      .map(([reason, count]) => [reason, count - (listed.get(reason) ?? 0)] as const)
      .filter(([, count]) => count > 0);
    return {
      kinds: Object.fromEntries(this.kinds),
      reasons: Object.fromEntries(this.reasons),
      remarks: this.remarks,
      unlisted: Object.fromEntries(unlisted),
      directions: Object.fromEntries(this.directions),
    };
  }
}

const keyOf = ({ kind, reason }: Pick<Remark, 'kind' | 'reason'>): string => `${kind}: ${reason}`;
