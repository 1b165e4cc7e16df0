const EVERY = 60_000;

/**
 * Reports that the database does not answer, at most once a minute; and reports once that it
 * answers again.
 */
export class Outage {
  #since: number | undefined;
  #reportedAt = Number.NEGATIVE_INFINITY;
  #wasReported = false;

  /** `name` is what messages call the server. */
  constructor(
    private readonly name: string,
    private readonly report: (message: string, error?: unknown) => void,
  ) {}

  failed(error: unknown): void {
    const now = performance.now();
    this.#since ??= now;
    if (now - this.#reportedAt < EVERY) return;
    this.#reportedAt = now;
    this.#wasReported = true;
    const seconds = Math.round((now - this.#since) / 1000);
    this.report(
      seconds > 0
        ? `${this.name} has not answered for ${seconds} s.`
        : `${this.name} does not answer.`,
      error,
    );
  }

  passed(): void {
    if (this.#since === undefined) return;
    const seconds = Math.round((performance.now() - this.#since) / 1000);
    this.#since = undefined;
    if (this.#wasReported) this.report(`${this.name} answers again, after ${seconds} s.`);
    this.#wasReported = false;
  }
}
