import { sortKey } from '../../../domains/content/rendering/slug.js';
import { listForms, RETENTION } from '../../../domains/forms/form.service.js';
import { type Sent, understand } from '../../../domains/forms/submission-filing.service.js';
import { sealPerson } from '../../../domains/forms/submission-seal.js';
import type { Import, Left } from '../kind.js';
import { text } from '../kind.js';
import { SUBMISSION_LINES } from '../lines/form.lines.js';
import type { KnownForm } from './known-form.js';
import { mappedInstant } from './mapped-date.js';
import type { FieldRow, FieldValue, MappedKind, Unnumbered } from './mapped-row.js';
import type { MappedQuery } from './mapping.js';

const DAY = 24 * 60 * 60_000;
const LONGEST_NAME = 200;
/** Most days that submissions are kept, and bounds of scores. */
const LONGEST_RETENTION = 3_650;
const SCORES = { least: 0, most: 100 } as const;

/** Forms, open for submissions. */
export const FORMS: MappedKind = {
  table: 'form',
  columns: ['name', 'score_least', 'score_most', 'retention_days', 'open', 'created_at'],
  judged: ['name', 'score_least', 'score_most', 'retention_days', 'open'],
  isReferredTo: true,
  map: async (run, rows) => rows.map((row) => formOf(run, row)),
};

function formOf(run: Import, row: FieldRow): Unnumbered | Left {
  const name = text(row.name).trim();
  if (!name || Buffer.byteLength(name) > LONGEST_NAME)
    return { outcome: 'refused', reason: 'its name is empty or longer than 200 bytes' };
  const number = (value: FieldValue, usual: number) => {
    const given = Math.round(Number(text(value) || Number.NaN) * 100) / 100;
    return Math.abs(given) < 1_000_000 ? given : usual;
  };
  const [least, most] = [number(row.scoreLeast, SCORES.least), number(row.scoreMost, SCORES.most)];
  if (least > most) return { outcome: 'refused', reason: 'its least score is above the most' };
  const days = Math.round(number(row.retentionDays, RETENTION));
  const retentionDays = Math.min(Math.max(days, 1), LONGEST_RETENTION);
  run.forms.push({ key: row.key, name, scoreLeast: least, scoreMost: most, retentionDays });
  return {
    own: {
      name,
      score_least: least,
      score_most: most,
      retention_days: retentionDays,
      open: true,
      created_at: run.context.now(),
    },
  };
}

/** What was sent by forms, encrypted. */
export const SUBMISSIONS: MappedKind = {
  table: 'form_submission',
  columns: [
    'form_id',
    'account_id',
    'platform',
    'sealed',
    'key_id',
    'email_hash',
    'received_at',
    'marks',
  ],
  judged: SUBMISSION_LINES.judged,
  async map(run, rows, query) {
    const numbers = run.numbers.get('form');
    const imported = run.forms.flatMap((form) => {
      const id = numbers?.get(form.key);
      return id === undefined ? [] : [{ ...form, id }];
    });
    const forms: KnownForm[] = [...imported, ...(await listForms(run.context))];
    return rows.map((row) => submissionOf(run, row, query, forms));
  },
};

/** Returns the form that a text names, by its number or its name. */
function formNamed(name: string, forms: readonly KnownForm[]): KnownForm | undefined {
  const key = sortKey(name.trim());
  return (
    forms.find((form) => key !== '' && sortKey(form.name) === key) ??
    forms.find((form) => String(form.id) === name.trim())
  );
}

function submissionOf(
  { context, site, accounts }: Import,
  row: FieldRow,
  { dates }: MappedQuery,
  forms: readonly KnownForm[],
): Unnumbered | Left {
  const form = formNamed(text(row.form), forms);
  const now = context.now();
  const { at } = mappedInstant(row.created, dates, site.timeZone);
  const receivedAt = at && at < now ? at : now;
  if (now.getTime() - receivedAt.getTime() > (form?.retentionDays ?? RETENTION) * DAY)
    return { outcome: 'skipped', reason: 'it is older than submissions of its form are kept' };
  const sent: Sent = {
    form: text(row.form),
    name: text(row.name),
    email: text(row.email),
    phone: text(row.phone),
    platform: text(row.platform),
    score: text(row.score),
  };
  const { person, platform, marks } = understand(sent, form);
  const formId = form?.id ?? null;
  const { sealed, keyId, emailHash } = sealPerson(
    context.deps.keys,
    { formId, receivedAt },
    person,
  );
  const member = Number(row.member ?? 0);
  return {
    own: {
      form_id: formId,
      account_id: accounts.has(member) ? member : null,
      platform,
      sealed,
      key_id: keyId,
      email_hash: emailHash,
      received_at: receivedAt,
      marks,
    },
    remarks: at ? [] : ['it has no date that is certain: it counts as received now'],
  };
}
