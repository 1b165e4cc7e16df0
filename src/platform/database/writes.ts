import { whyUnwritable } from './database-errors.js';

/**
 * How long the result of a test write is valid, in milliseconds: after a success, and after a
 * failure.
 */
const GOOD_FOR = 10_000;
const BAD_FOR = 1_000;

/**
 * A test write. It allocates a new page in a new file, so it fails when the disk is full; an
 * inserted row could still fit into an existing page. It leaves no data. Fails with 25006 on a
 * standby and in read-only transactions.
 */
export const WRITE = `DO $$ BEGIN
  IF pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean THEN
    RAISE EXCEPTION 'cannot write in a read-only transaction' USING ERRCODE = '25006';
  END IF;
  IF has_database_privilege(current_database(), 'TEMPORARY') THEN
    CREATE TEMPORARY TABLE care_write ON COMMIT DROP AS SELECT 1 AS one;
  END IF;
END $$`;

/**
 * Tells whether the database takes writes. It tests at most every 10 s (every second after a
 * failure), and again after a statement failed for that reason.
 */
export class Writes {
  #until = 0;
  #trouble: string | undefined;
  #isRefused = false;
  #asking: Promise<string | undefined> | undefined;

  constructor(private readonly write: () => Promise<unknown>) {}

  /**
   * Notes an error of any statement. When it says that writes fail, the next call of `trouble`
   * tests again.
   */
  failed(error: unknown): void {
    if (whyUnwritable(error)) this.#until = 0;
  }

  /** Whether the database answered the last test, and took no write. */
  get isRefused(): boolean {
    return this.#isRefused;
  }

  /** Returns one sentence that says why writes fail; undefined when they succeed. */
  async trouble(): Promise<string | undefined> {
    if (performance.now() < this.#until) return this.#trouble;
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #ask(): Promise<string | undefined> {
    try {
      await this.write();
      this.#trouble = undefined;
      this.#isRefused = false;
    } catch (error) {
      const why = whyUnwritable(error);
      this.#trouble = why ?? 'The database does not answer.';
      this.#isRefused = why !== undefined;
    }
    this.#until = performance.now() + (this.#trouble ? BAD_FOR : GOOD_FOR);
    return this.#trouble;
  }
}
