import { whyUnwritable } from './errors.js';

/**
 * How long one proof that writes work is good for, in milliseconds, and how long a failed one is.
 */
const GOOD_FOR = 10_000;
const BAD_FOR = 1_000;

/**
 * Needs a new page of a new file, as writes to a disk do that is full: a row of its own would find
 * room in a page that is there. Leaves nothing behind. Fails with 25006 on a standby and where
 * transactions are read-only.
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
 * Whether the database takes writes: asked at most every 10 s, and after a write that it could not
 * take.
 */
export class Writes {
  #until = 0;
  #trouble: string | undefined;
  #asking: Promise<string | undefined> | undefined;

  constructor(private readonly write: () => Promise<unknown>) {}

  /**
   * Notes an error of whatever statement: after one that says that writes fail the next question is
   * asked anew.
   */
  failed(error: unknown): void {
    if (whyUnwritable(error)) this.#until = 0;
  }

  /** Why writes fail, in a sentence; undefined when they work. */
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
    } catch (error) {
      this.#trouble = whyUnwritable(error) ?? 'The database does not answer.';
    }
    this.#until = performance.now() + (this.#trouble ? BAD_FOR : GOOD_FOR);
    return this.#trouble;
  }
}
