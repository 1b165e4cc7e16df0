// What a file of tests asks of the embedded database: its hand-written statements, and whether transactions of it
// wanted to run at the same time. The gate chooses by it what PostgreSQL is to prove as well.
import { createHash } from 'node:crypto';
import { PGlite } from '@electric-sql/pglite';

/** Bytes of a message of the protocol before its body: the type, and the length. */
const HEAD = 5;
/** What Prisma writes itself, which is alike for all models. */
const OF_PRISMA = /"public"\."/;

let statements = new Set();
let overlaps = false;
let open = 0;
/** Hashes by name of the statements that a session has prepared. */
const prepared = new WeakMap();

const { execProtocolStream, transaction } = PGlite.prototype;
PGlite.prototype.execProtocolStream = function (bytes, ...options) {
  for (const message of messagesOf(bytes)) note(this, message);
  return execProtocolStream.call(this, bytes, ...options);
};
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
  const notes = { statements: [...statements], overlaps };
  statements = new Set();
  overlaps = false;
  return notes;
}

function* messagesOf(bytes) {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at + HEAD <= all.length; at += 1 + all.readUInt32BE(at + 1))
    yield all.subarray(at, at + 1 + all.readUInt32BE(at + 1));
}

/** Notes the statement that a message prepares or runs. */
function note(session, message) {
  const type = String.fromCharCode(message[0]);
  const [first, second] = message.toString('utf8', HEAD).split('\0', 2);
  if (!prepared.has(session)) prepared.set(session, new Map());
  const known = prepared.get(session);
  if (type === 'P') known.set(first, OF_PRISMA.test(second) ? undefined : hashOf(second));
  if (type === 'B' && known.get(second)) statements.add(known.get(second));
}

/** Texts that differ in numbers and in the length of lists are the same statement. */
function hashOf(text) {
  const plain = text.replace(/\d+/g, '0').replace(/(\([$0, ]+\)|\$0)(?:, ?\1)+/g, '$1');
  return createHash('sha256').update(plain).digest('base64url').slice(0, 12);
}
