// What a file of tests asks of the embedded database: where the service sends statements of its own, and
// whether transactions wanted to run at the same time. The gate chooses by it what PostgreSQL is to prove as well.
import { PGlite } from '@electric-sql/pglite';
import { takeSites } from '../../dist-test/test/support/statements.js';

let overlaps = false;
let open = 0;

const { transaction } = PGlite.prototype;
PGlite.prototype.transaction = async function (work) {
  overlaps ||= open > 0;
  open++;
  try {
    return await transaction.call(this, work);
  } finally {
    open--;
  }
};

/** Returns what was noted since the last call. */
export function takeNotes() {
  const notes = { statements: takeSites(), overlaps };
  overlaps = false;
  return notes;
}
