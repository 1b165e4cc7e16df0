import type { ModelDocument } from '../../domains/models/definition/model.document.js';
import { Prisma } from '../../generated/prisma/client.js';
import type { Db } from '../../platform/database/transaction.js';
import type { Mapped } from './kind.js';

const { raw } = Prisma;

/** Files items under their terms, and under no others. Terms that are not here are left out. */
export async function fileItems(db: Db, written: readonly Mapped[]): Promise<void> {
  const filed = written.map(({ own: { id }, parts }) => ({ id, terms: parts?.terms }));
  await db.$executeRaw`DELETE FROM content_term WHERE item_id = ANY(${filed.map(({ id }) => id)}::int[])`;
  await db.$executeRaw`
    INSERT INTO content_term (item_id, term_id)
    SELECT f.id, t.id FROM jsonb_to_recordset(${JSON.stringify(filed)}::jsonb) AS f(id int, terms int[])
    JOIN term t ON t.id = ANY(f.terms) ON CONFLICT DO NOTHING`;
}

/** An application password of the original, with its hash. */
export interface ImportedPassword {
  /** A UUID. */
  readonly id: string;
  readonly name: string;
  readonly hash: string;
  readonly appId: string | null;
  readonly createdAt: string;
}

/**
 * Adds application passwords that are new since the account was imported last, and revokes those that
 * were revoked in the original since, also where they were used here. The original counts in whole
 * seconds: one that was made here stays.
 */
export async function matchApplicationPasswords(db: Db, written: readonly Mapped[]): Promise<void> {
  await addApplicationPasswords(db, written);
  const listed = written.flatMap(({ own: { id }, parts }) =>
    parts?.unread ? [] : [{ id, uuids: uuidsOf(parts) }],
  );
  await db.$executeRaw`
    DELETE FROM application_password p
    USING jsonb_to_recordset(${JSON.stringify(listed)}::jsonb) AS l(id int, uuids uuid[]), imported_row i
    WHERE p.account_id = l.id AND i.kind = 'account' AND i.id = l.id AND p.created_at <= i.imported_at
      AND (p.hash LIKE '$%' OR p.created_at = date_trunc('second', p.created_at))
      AND p.id <> ALL(coalesce(l.uuids, '{}'))`;
}

/** The kind of `imported_row` that lists the application passwords that came with accounts, by their UUIDs. */
const PASSWORDS_NOTE = 'account.passwords';

/**
 * Adds application passwords that did not come with the account when it was imported last; all where it is new,
 * or came from a source without them (`bare` of accounts): so one that was revoked here stays revoked. Of what
 * was imported before this was noted, those are added that were made since.
 */
export async function addApplicationPasswords(db: Db, written: readonly Mapped[]): Promise<void> {
  const all = written.flatMap(({ own: { id: accountId }, parts }) =>
    ((parts?.passwords ?? []) as ImportedPassword[]).map((one) => ({ accountId, ...one })),
  );
  await db.$executeRaw`
    INSERT INTO application_password (id, account_id, name, hash, app_id, created_at)
    SELECT p.id, p."accountId", p.name, p.hash, p."appId", p."createdAt"
    FROM jsonb_to_recordset(${JSON.stringify(all)}::jsonb) AS p(id uuid, "accountId" int, name text, hash text,
      "appId" uuid, "createdAt" timestamptz)
    LEFT JOIN imported_row i ON i.kind = 'account' AND i.id = p."accountId"
    LEFT JOIN imported_row n ON n.kind = ${PASSWORDS_NOTE} AND n.id = p."accountId"
    WHERE i.id IS NULL OR CASE WHEN n.id IS NULL THEN p."createdAt" > i.imported_at
      ELSE p.id <> ALL(n.source_digest::uuid[]) END
    ON CONFLICT DO NOTHING`;
  const came = written.flatMap(({ own: { id }, parts }) =>
    parts?.unread ? [] : [{ id, uuids: uuidsOf(parts) }],
  );
  await db.$executeRaw`
    INSERT INTO imported_row (kind, id, source_digest, own_digest)
    SELECT ${PASSWORDS_NOTE}, c.id, c.uuids::text, ''
    FROM jsonb_to_recordset(${JSON.stringify(came)}::jsonb) AS c(id int, uuids uuid[])
    ON CONFLICT (kind, id) DO UPDATE SET source_digest = excluded.source_digest`;
}

const uuidsOf = (parts: Mapped['parts']): string[] =>
  ((parts?.passwords ?? []) as ImportedPassword[]).map(({ id }) => id);

/** Counts the revisions of the items that some are of, as the service does. */
export async function noteRevisions(db: Db, written: readonly Mapped[]): Promise<void> {
  const items = [...new Set(written.map(({ own }) => own.item_id as number))];
  await db.$executeRaw`
    UPDATE content_item p SET
      revision_count = (SELECT count(*) FROM revision r WHERE r.item_id = p.id),
      latest_revision_id = (SELECT id FROM revision r WHERE r.item_id = p.id
        ORDER BY r.created_at DESC, r.id DESC LIMIT 1)
    WHERE p.id = ANY(${items}::int[])`;
}

/** Numbers the groups and fields of models, and records what the models are now. */
export async function noteParts(db: Db, written: readonly Mapped[]): Promise<void> {
  const parts = written.flatMap(({ own: { id, document } }) => {
    const { groups, fields } = document as ModelDocument;
    const of = (kind: string) => (part: { readonly id: number }) => ({
      id: part.id,
      definition: id,
      kind,
    });
    return [of('model')({ id }), ...groups.map(of('group')), ...fields.map(of('field'))];
  });
  // A number that a part of another model has is refused by the key.
  await db.$executeRaw`
    INSERT INTO model_part (id, definition_id, kind)
    SELECT p.id, p.definition, p.kind
    FROM jsonb_to_recordset(${JSON.stringify(parts)}::jsonb) AS p(id int, definition int, kind text)
    WHERE NOT EXISTS (SELECT 1 FROM model_part k WHERE k.id = p.id AND k.definition_id = p.definition)`;
  await db.$executeRaw`
    UPDATE model_definition d SET version = 1 + COALESCE(
      (SELECT max(number) FROM model_version v WHERE v.definition_id = d.id), 0)
    WHERE d.id = ANY(${written.map(({ own }) => own.id)}::int[])`;
  await db.$executeRaw`
    INSERT INTO model_version (definition_id, number, document, change, created_at)
    SELECT id, version, document, 'imported', now() FROM model_definition
    WHERE id = ANY(${written.map(({ own }) => own.id)}::int[])`;
}

/** Deletes the category that migrations make, where an import brought others and nothing was filed yet. */
export async function dropOwnCategory(db: Db): Promise<void> {
  await db.$executeRaw`
    DELETE FROM term t WHERE t.id = 1 AND t.slug = 'uncategorized'
      AND NOT EXISTS (SELECT FROM imported_row WHERE kind = 'term' AND id = 1)
      AND NOT EXISTS (SELECT FROM content_item)
      AND NOT EXISTS (SELECT FROM site WHERE default_category_id = 1)`;
}

/** Makes the account that content of missing authors belongs to. Nobody signs in to it. */
export async function makeNobody(db: Db): Promise<void> {
  await db.$executeRaw`
    INSERT INTO account (id, username, username_key, name, slug, roles, language_id)
    VALUES (0, 'unknown author', 'unknown author', 'Unknown author', 'unknown-author', '{}', 1)
    ON CONFLICT (id) DO NOTHING`;
}

/** The sequences of the tables that are imported: new rows get numbers behind those of the original. */
const SEQUENCES = {
  account: ['account'],
  term: ['term'],
  content_item: ['content_item', 'media'],
  revision: ['revision'],
  model_part: ['model_part'],
  model_item: ['model_item'],
};

/** Numbers behind it are kept, but new rows do not go on there: only some millions would be left. */
const LARGEST = 2_000_000_000;

/** Sets sequences behind the highest number that there is, up to `LARGEST`. None goes back. */
export async function advanceSequences(db: Db): Promise<void> {
  for (const [sequence, tables] of Object.entries(SEQUENCES)) {
    const name = `${sequence}_id_seq`;
    const highest = tables
      .map((table) => `SELECT max(id)::bigint FROM ${table} WHERE id <= ${LARGEST}`)
      .join(' UNION ALL ');
    await db.$executeRaw`
      SELECT setval(${name}::regclass, max(id)) FROM (${raw(highest)}
        UNION ALL SELECT last_value FROM ${raw(name)}) AS ids(id)`;
  }
}

/**
 * Lets reminders that go by the zone of the site, and have another one, follow: those that came by the clocks of
 * the original, and those that were here before it brought its zone.
 */
export async function followZone(db: Db, now: Date): Promise<void> {
  await db.$executeRaw`
    UPDATE site SET zone_changed_at = ${now.toISOString()}::timestamptz
    WHERE EXISTS (SELECT FROM reminder r
      WHERE r.zone_source = 'site' AND r.deleted_at IS NULL AND r.zone <> site.time_zone)`;
}

/** Takes the front page and the page of posts off the site where these are no pages, or in the trash. */
export async function dropWrongFrontPage(db: Db): Promise<void> {
  await db.$executeRaw`
    WITH here AS (SELECT p.id FROM site s JOIN content_item p ON p.id IN (s.front_page_id, s.posts_page_id)
      WHERE p.kind = 'page' AND p.status <> 'trash')
    UPDATE site SET front_page_id = (SELECT id FROM here WHERE id = front_page_id),
      posts_page_id = (SELECT id FROM here WHERE id = posts_page_id)`;
}
