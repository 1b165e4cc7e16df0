import { whyUnwritable } from './database-errors.js';
import { within } from './ping.js';

/**
 * How long the result of a test write is valid, in milliseconds: after a success, and after a
 * failure.
 */
const GOOD_FOR = 10_000;
const BAD_FOR = 1_000;
/** How long the result of a test is waited for, in milliseconds. */
const LONGEST = 1_000;

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
  #refusal: string | undefined;
  #asking: Promise<void> | undefined;

  constructor(private readonly write: () => Promise<unknown>) {}

  /**
   * Notes an error of any statement. When it says that writes fail, the next call of `refusal`
   * tests again.
   */
  failed(error: unknown): void {
    if (whyUnwritable(error)) this.#until = 0;
  }

  /**
   * Returns one sentence that says why writes fail; undefined when they succeed, or the database does
   * not answer. While a test takes more than a second, the result of the one before.
   */
  async refusal(): Promise<string | undefined> {
    if (performance.now() < this.#until) return this.#refusal;
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
    await within(LONGEST, this.#asking).catch(() => {});
    return this.#refusal;
  }

  async #ask(): Promise<void> {
    const error: unknown = await this.write().then(
      () => undefined,
      (failure) => failure,
    );
    this.#refusal = whyUnwritable(error);
    this.#until = performance.now() + (error ? BAD_FOR : GOOD_FOR);
  }
}
