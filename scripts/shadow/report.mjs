// What a shadow has found: counts, and differences grouped by route and kind.

/** Most groups that are kept apart; the others are counted together. */
const MOST_GROUPS = 2_000;

export class ShadowReport {
  #since = new Date();
  #requests = 0;
  #counts = { equal: 0, departed: 0, different: 0, unavailable: 0, unread: 0, left: 0 };
  #reasons = new Map();
  #groups = new Map();
  #others = 0;

  /** Counts a request that the original answered. */
  request() {
    this.#requests++;
  }

  /** Counts a read that is not compared, with the reason. */
  left(reason) {
    this.add({ outcome: 'left', reason });
  }

  /** Adds the outcome of a comparison. */
  add({ outcome, reason, names = [], route, kinds = [] }) {
    this.#counts[outcome]++;
    for (const why of reason ? [reason] : names) {
      const key = `${outcome}: ${why}`;
      this.#reasons.set(key, (this.#reasons.get(key) ?? 0) + 1);
    }
    for (const { kind, example } of kinds) this.#group(route, kind, example);
  }

  #group(route, kind, example) {
    const key = `${route} ${kind}`;
    const group = this.#groups.get(key);
    if (group) group.count++;
    else if (this.#groups.size < MOST_GROUPS)
      this.#groups.set(key, { route, kind, count: 1, example });
    else this.#others++;
  }

  toJSON() {
    const differences = [...this.#groups.values()].sort((a, b) => b.count - a.count);
    return {
      since: this.#since.toISOString(),
      until: new Date().toISOString(),
      requests: this.#requests,
      ...this.#counts,
      reasons: Object.fromEntries(this.#reasons),
      differences,
      differencesBeyond: this.#others,
    };
  }

  /** Returns the counts in one line. */
  line() {
    const counts = Object.entries(this.#counts).map(([name, count]) => `${count} ${name}`);
    return `${this.#requests} requests: ${counts.join(', ')}; ${this.#groups.size} kinds of differences`;
  }
}
