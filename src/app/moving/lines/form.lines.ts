import { openPerson, type Person, sealPerson } from '../../../domains/forms/submission-seal.js';
import type { LineKind } from './line.js';

export const FORM_LINES: LineKind = {
  name: 'form',
  table: 'form',
  fields: {
    name: 'text',
    scoreLeast: 'decimal',
    scoreMost: 'decimal',
    retentionDays: 'integer',
    open: 'boolean',
    createdAt: 'instant',
    version: 'integer',
  },
};

/** What was sent by forms, in plain text: null where its key is gone. */
export const SUBMISSION_LINES: LineKind = {
  name: 'submission',
  table: 'form_submission',
  fields: {
    formId: 'integer?',
    accountId: 'integer?',
    platform: 'text',
    person: {
      type: 'json',
      sql: `json_build_object('sealed', t.sealed, 'keyId', t.key_id)`,
    },
    receivedAt: 'instant',
    marks: 'texts',
  },
  judged: ['form_id', 'received_at'],
  filled: ['sealed', 'key_id', 'email_hash'],
  opened(line, keys) {
    const sealed = line.person as { readonly sealed: string; readonly keyId: string };
    return { ...line, person: openPerson(keys, { ...sealed, ...whereOf(line) }) ?? null };
  },
  fault: ({ person }) =>
    isPerson(person) ? undefined : 'who sent it is not known: its key is gone, or it is none',
  fill(line, { context: { deps } }) {
    const { sealed, keyId, emailHash } = sealPerson(
      deps.keys,
      whereOf(line),
      line.person as Person,
    );
    return { sealed, key_id: keyId, email_hash: emailHash };
  },
};

const whereOf = ({ formId, receivedAt }: Readonly<Record<string, unknown>>) => ({
  formId: formId as number | null,
  receivedAt: new Date(String(receivedAt)),
});

function isPerson(value: unknown): value is Person {
  const { name, email, phone } = (value ?? {}) as Partial<Person>;
  return [name, email, phone].every((one) => typeof one === 'string');
}
