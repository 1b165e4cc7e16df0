import type { Database } from '../database/database.js';

/** A job that has work only at certain instants. */
export interface Awaiting {
  readonly name: string;
  /**
   * SQL of one value: the earliest instant at which the job has work, as timestamptz; null when
   * there is none. It may name an earlier instant, never a later one. The job runs at its interval
   * while the instant has come. Default: the job always runs at its interval.
   */
  readonly awaits?: string;
}

/**
 * Milliseconds after which a process asks for work again that it has not written itself. Who
 * writes work asks before the next run of the job, so this is for work of processes that have died
 * since, and of tools.
 */
const QUERY_EVERY = 3_000;
/** Milliseconds after which a job runs whatever the query says. */
const LONGEST_REST = 30_000;

/** The earliest instants of work by job, in milliseconds; undefined when they are unknown. */
type Instants = ReadonlyMap<string, number | null> | undefined;

interface WorkQuery {
  readonly writes: number;
  /** By the counter. */
  readonly at: number;
  readonly asked: Promise<Instants>;
  /** Undefined until the database has answered. */
  instants?: Instants;
}

/**
 * Tells which jobs have work, by one statement for all of them. It is sent after a write of this
 * process, and every 3 s; in between, the instants that it found are compared with the clock. So a
 * process without work sends few statements, and work that waits for its time starts at that time.
 */
export class DueWork {
  readonly #question: string;
  readonly #ranAt = new Map<string, number>();
  #query: WorkQuery | undefined;

  /** `elapsed` is a counter of milliseconds that nobody sets. */
  constructor(
    private readonly database: Pick<Database, 'query' | 'writes'>,
    private readonly clock: () => number,
    jobs: readonly Awaiting[],
    private readonly elapsed: () => number = () => performance.now(),
  ) {
    const parts = jobs.flatMap(({ name, awaits }) =>
      awaits ? `('${name}', (extract(epoch FROM (${awaits})) * 1000)::float8)` : [],
    );
    this.#question = `SELECT name, at FROM (VALUES ${parts.join(', ')}) AS work(name, at)`;
  }

  /** Returns whether a job has no work, as far as is known without a statement. */
  rests(job: Awaiting): boolean {
    const query = this.#query;
    return (
      query?.instants !== undefined && this.#isCurrent(query) && !this.#isDue(job, query.instants)
    );
  }

  /**
   * Returns whether a job has work now, or has not run for half a minute. True also when the
   * database does not answer: the job says more about that.
   */
  async isDue(job: Awaiting): Promise<boolean> {
    if (!this.#query || !this.#isCurrent(this.#query)) this.#query = this.#ask();
    const due = this.#isDue(job, await this.#query.asked);
    if (due) this.#ranAt.set(job.name, this.elapsed());
    return due;
  }

  #isDue({ name, awaits }: Awaiting, instants: Instants): boolean {
    if (!awaits || !instants) return true;
    const ranAt = this.#ranAt.get(name);
    if (ranAt === undefined || this.elapsed() - ranAt >= LONGEST_REST) return true;
    const at = instants.get(name) ?? null;
    return at !== null && at <= this.clock();
  }

  #isCurrent({ writes, at }: WorkQuery): boolean {
    return writes === this.database.writes && this.elapsed() - at < QUERY_EVERY;
  }

  #ask(): WorkQuery {
    const rows = this.database.query<{ name: string; at: number | null }>(this.#question);
    const asked = rows.then(
      (found): Instants => new Map(found.map(({ name, at }) => [name, at])),
      (): Instants => undefined,
    );
    const query: WorkQuery = { writes: this.database.writes, at: this.elapsed(), asked };
    void asked.then((instants) => {
      query.instants = instants;
      // A query that failed is none: the next job asks again.
      if (!instants && this.#query === query) this.#query = undefined;
    });
    return query;
  }
}
