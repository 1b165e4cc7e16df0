const EVERY = 60_000;

/**
 * Says that the database does not answer: at most once a minute, and once when it answers again.
 */
export class Outage {
  #since: number | undefined;
  #told = Number.NEGATIVE_INFINITY;
  #wasTold = false;

  constructor(private readonly tell: (message: string, error?: unknown) => void) {}

  failed(error: unknown): void {
    const now = performance.now();
    this.#since ??= now;
    if (now - this.#told < EVERY) return;
    this.#told = now;
    this.#wasTold = true;
    const seconds = Math.round((now - this.#since) / 1000);
    this.tell(
      seconds > 0 ? `PostgreSQL has not answered for ${seconds} s.` : 'PostgreSQL does not answer.',
      error,
    );
  }

  passed(): void {
    if (this.#since === undefined) return;
    const seconds = Math.round((performance.now() - this.#since) / 1000);
    this.#since = undefined;
    if (this.#wasTold) this.tell(`PostgreSQL answers again, after ${seconds} s.`);
    this.#wasTold = false;
  }
}
