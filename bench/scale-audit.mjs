// A year of the audit, signed and sealed as the service does it, for scale-database.mjs.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The secret of the service that runs on this database. */
export const SECRET_KEY = 'only for measurements, never kept';
const BLOCK = 64;
const IN_SEAL = 1_000;
const AT_ONCE = 200_000;
const ACTIONS = ['session.start', 'reminder.read', 'dose.read', 'profile.read', 'session.end'];

/** SHA-256 of an expression of bytes, as the service writes it. */
const base64url = (bytes) => `translate(rtrim(encode(${bytes}, 'base64'), '='), '+/', '-_')`;

/** HMAC-SHA256 of a text with a key, by the functions that PostgreSQL has. */
function macOf(key, text) {
  const padded = Buffer.concat([key, Buffer.alloc(BLOCK - key.length)]);
  const mixed = (byte) => `'\\x${padded.map((each) => each ^ byte).toString('hex')}'::bytea`;
  return `sha256(${mixed(0x5c)} || sha256(${mixed(0x36)} || convert_to(${text}, 'UTF8')))`;
}

/** Adds `audit` rows, evenly over the last year, without details. */
export async function addAudit(client, { audit, reminders, root, say }) {
  const load = (path) => import(pathToFileURL(join(root, 'dist', path)).href);
  const { Keys } = await load('platform/keys.js');
  const { makeSeal } = await load('domains/audit/chain/audit.seal.js');
  const keys = new Keys(SECRET_KEY);
  const { id: keyId, bytes } = keys.current('audit-row');
  const content = `'["' || uid || '","' || ms || '",' || actor || ',' || actor || ',"' || action || '",null,"${keyId}"]'`;
  await client.query('CREATE TEMP TABLE digest (id bigint, digest text)');
  for (let first = 1; first <= audit; first += AT_ONCE) {
    const last = Math.min(first + AT_ONCE - 1, audit);
    await client.query(
      `WITH planned AS MATERIALIZED (
         SELECT i, gen_random_uuid() AS uid, 1 + floor(random() * $4::int)::int AS actor, ($5::text[])[1 + i % cardinality($5::text[])] AS action,
           floor(extract(epoch FROM now() - interval '1 hour' - ($3::int - i) * (interval '364 days' / $3::int)) * 1000)::bigint AS ms
         FROM generate_series($1::int, $2::int) i
       ), written AS MATERIALIZED (SELECT *, ${content} AS content FROM planned
       ), signed AS MATERIALIZED (SELECT *, ${base64url(macOf(bytes, 'content'))} AS mac FROM written
       ), made AS (
         INSERT INTO audit_event (id, uid, at, actor_id, subject_id, action, key_id, mac, seal)
         SELECT i, uid, 'epoch'::timestamptz + ms * interval '1 ms', actor, actor, action, '${keyId}', mac, 1 + (i - 1) / ${IN_SEAL} FROM signed)
       INSERT INTO digest SELECT i,
         ${base64url(`sha256(convert_to('["' || replace(content, '"', '\\"') || '","' || mac || '"]', 'UTF8'))`)} FROM signed ORDER BY i`,
      [first, last, audit, Math.ceil(reminders * 0.3), ACTIONS],
    );
    say(`${last} rows of audit`);
  }
  await seal(client, audit, (batch) => makeSeal(keys, batch));
  say('seals of the audit');
}

async function seal(client, audit, make) {
  await client.query('CREATE INDEX ON digest (id)');
  let previous = '';
  for (let first = 1, number = 1; first <= audit; first += IN_SEAL, number++) {
    const { rows } = await client.query(
      'SELECT id, digest FROM digest WHERE id BETWEEN $1 AND $2 ORDER BY id',
      [first, first + IN_SEAL - 1],
    );
    const [ids, digests] = [rows.map(({ id }) => id), rows.map(({ digest }) => digest)];
    const made = make({ number, at: String(Date.now() - 3_600_000), ids, digests, previous });
    await client.query(
      `INSERT INTO audit_seal (number, at, ids, digests, previous, head, key_id, mac)
       VALUES ($1, 'epoch'::timestamptz + $2::bigint * interval '1 ms', $3::bigint[], $4, $5, $6, $7, $8)`,
      [number, made.at, ids, digests, previous, made.head, made.keyId, made.mac],
    );
    previous = made.head;
  }
  await client.query('DROP TABLE digest');
}
