import { createHmac } from 'node:crypto';
import { accountKey } from '../../core/account-name.js';
import type { RequestContext } from '../../core/context.js';
import { hold, transact, wasMade } from '../../core/transact.js';
import { anyPhone } from '../../platform/phone.js';
import { isStorable } from '../../platform/storable.js';
import { sortKey } from '../content/rendering/slug.js';
import { guardForm } from '../sign-in/limits/address-limits.service.js';
import type { FileSubmissionInput } from './form.inputs.js';
import { formsById, listForms } from './form.service.js';
import type { Form, SubmitFormPayload } from './form.types.js';
import {
  type FiledSubmission,
  knownPlatform,
  payloadOf,
  submissionPayload,
} from './submission.service.js';
import { sealPerson } from './submission-seal.js';

/** How long the same submission is a retry, in milliseconds. */
const RETRY_WITHIN = 10 * 60_000;
const DIGEST_PURPOSE = 'form submission digest';
/** A number as people write a score: 7, 12.5, 12,5, 5/10 is none. */
const SCORE = /^[+-]?\d{1,6}(?:[.,]\d{1,2})?$/;
const COUNTRY = /^[a-z]{2}$/i;
const EMAIL = /^[^\s@]{1,64}@[^\s@.]{1,63}(?:\.[^\s@.]{1,63}){1,8}$/;

/** A field as it is understood: its value, and whether it was. */
interface Read<T> {
  readonly value: T;
  readonly isUnderstood: boolean;
}
const read = <T>(value: T | undefined, otherwise: T): Read<T> =>
  value === undefined ? { value: otherwise, isUnderstood: false } : { value, isUnderstood: true };

/**
 * Takes in what an app sends by a form, whatever it is: 10 an hour of one member, or of all others at
 * one address. What is not understood in a field is kept as it came, encrypted with the rest, and the
 * field is marked for staff. A form is found by its number or by its name, without regard to case and
 * accents; else the submission is filed without a form. The same within ten minutes, or under the same
 * Idempotency-Key, is a retry, which does not count, and is answered with the first one. Throws
 * TOO_MANY_REQUESTS.
 */
export async function fileSubmission(
  context: RequestContext,
  input: FileSubmissionInput,
): Promise<SubmitFormPayload> {
  const digest = digestOf(context, input);
  const known = await filedBefore(context, digest);
  if (known && !context.input.idempotency) return payloadOf(known);
  const form = await formNamed(context, input.form);
  const fields = understand(input, form);
  if (!known && !(await wasMade(context))) await guardForm(context);
  const receivedAt = context.now();
  const formId = form?.id ?? null;
  const file = async (inner: RequestContext) => {
    await hold(inner, `form submission:${digest}`);
    const before = await filedBefore(inner, digest);
    if (before) return before.id;
    const data = {
      formId,
      accountId: inner.viewer.id || null,
      platform: fields.platform,
      marks: [...fields.marks],
      digest,
      receivedAt,
      ...sealPerson(inner.deps.keys, { formId, receivedAt }, fields.person),
    };
    return (await inner.db.formSubmission.create({ data, select: { id: true } })).id;
  };
  return submissionPayload(context, await transact(context, file, { replayable: true }));
}

const filedBefore = (context: RequestContext, digest: string): Promise<FiledSubmission | null> =>
  context.db.formSubmission.findFirst({
    where: { digest, receivedAt: { gt: new Date(context.now().getTime() - RETRY_WITHIN) } },
    select: { id: true, receivedAt: true },
  });

/** What was sent by a form. */
export type Sent = Omit<FileSubmissionInput, 'country'>;

/** What a form decides about its submissions. */
export type Bounds = Pick<Form, 'id' | 'scoreLeast' | 'scoreMost'>;

/** Returns what was sent as it is kept, with the names of the fields that are not understood. */
export function understand(input: FileSubmissionInput, form: Bounds | undefined) {
  const { country: given, ...sent } = input;
  const country = given && COUNTRY.test(given.trim()) ? given.trim().toUpperCase() : undefined;
  const phone = anyPhone(sent.phone, country);
  const trimmed = sent.email.trim();
  const score = scoreIn(sent.score, form);
  const all = {
    form: read(form?.id, null),
    name: read(nameIn(sent.name), printable(sent.name)),
    email: read(EMAIL.test(trimmed) && isStorable(trimmed) ? trimmed : undefined, null),
    phone: read(phone?.typed, printable(sent.phone)),
    platform: read(knownPlatform(sent.platform), 'other'),
    score: read(score, null),
  };
  const names = Object.keys(all) as (keyof typeof all)[];
  const otherwise = names.filter((name) => String(all[name].value ?? '') !== sent[name]);
  const asSent: Record<string, string> = Object.fromEntries(
    otherwise.map((name) => [name, sent[name]]),
  );
  if (given?.trim() && !country) asSent.country = given;
  const person = {
    name: all.name.value,
    // An address that is none is found by what was sent, for its owner.
    email: all.email.value ?? trimmed,
    phone: all.phone.value,
    phoneE164: phone?.e164 ?? null,
    score: all.score.value,
    ...(Object.keys(asSent).length > 0 && { asSent }),
  };
  return {
    person,
    platform: all.platform.value,
    marks: names.filter((name) => !all[name].isUnderstood),
  };
}

const printable = (text: string) => text.replace(/[\p{Cc}\p{Cs}]/gu, ' ').trim();
const nameIn = (text: string) => (printable(text) === '' ? undefined : printable(text));

/** Returns the score that a text is, within the bounds of its form. */
function scoreIn(text: string, form: Bounds | undefined): number | undefined {
  const trimmed = text.trim();
  if (!SCORE.test(trimmed)) return undefined;
  const score = Number(trimmed.replace(',', '.'));
  const fits = !form || (score >= form.scoreLeast && score <= form.scoreMost);
  return fits ? score : undefined;
}

/** Returns the form of a number or a name, where it takes submissions; undefined for none. */
async function formNamed(context: RequestContext, text: string): Promise<Form | undefined> {
  const trimmed = text.trim();
  if (/^\d{1,9}$/.test(trimmed)) {
    const [form] = await formsById(context, [Number(trimmed)]);
    if (form) return form.open ? form : undefined;
  }
  const key = sortKey(trimmed);
  if (!key) return undefined;
  return (await listForms(context)).find(({ name, open }) => open && sortKey(name) === key);
}

/**
 * Returns what stands for all that was sent, by the present key. Addresses count without case; a blank
 * country is none.
 */
function digestOf(
  { deps, viewer }: RequestContext,
  { country, ...sent }: FileSubmissionInput,
): string {
  const { bytes } = deps.keys.current(DIGEST_PURPOSE);
  const told = country?.trim() ? country : undefined;
  const parts = [viewer.id, { ...sent, email: accountKey(sent.email), country: told }];
  return createHmac('sha256', bytes).update(JSON.stringify(parts)).digest('base64url');
}
