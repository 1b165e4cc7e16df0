import type { RequestContext } from '../../core/context.js';
import { refuse } from '../../core/errors.js';
import { transact, wasMade } from '../../core/transact.js';
import { anyPhone, type Phone } from '../../platform/phone.js';
import { guardForm } from '../sign-in/limits/address-limits.service.js';
import type { SubmitFormInput } from './form.inputs.js';
import { formsById, refuseScore } from './form.service.js';
import { SubmitFormPayload } from './form.types.js';
import { sealPerson } from './submission-seal.js';

/** What forms are sent from. */
const PLATFORMS = new Set('ios ipados android harmonyos web windows macos linux'.split(' '));

/** Throws PHONE_INVALID. Returns the number. */
export function phoneOf({ phone, country }: Pick<SubmitFormInput, 'phone' | 'country'>): Phone {
  const found = anyPhone(phone, country ?? undefined);
  if (found) return found;
  throw refuse('PHONE_INVALID', 'The telephone number is not valid.', { param: 'phone' });
}

/** Returns the platform that a text begins with, such as `Android 14`; undefined for none. */
export function knownPlatform(text: string): string | undefined {
  const [, word = ''] = /^\s*([a-z]+)/i.exec(text) ?? [];
  const name = word.toLowerCase();
  return PLATFORMS.has(name) ? name : undefined;
}

/** Throws PLATFORM_INVALID. Returns the name of the platform. */
export function platformOf({ platform }: Pick<SubmitFormInput, 'platform'>): string {
  const name = platform.trim().toLowerCase();
  if (PLATFORMS.has(name)) return name;
  throw refuse('PLATFORM_INVALID', `The platform is one of ${[...PLATFORMS].join(', ')}.`, {
    param: 'platform',
  });
}

/** A submission that was filed. */
export interface FiledSubmission {
  readonly id: number;
  readonly receivedAt: Date;
}

/** Returns what is told of a submission to who has sent it. */
export const payloadOf = ({ id: submissionId, receivedAt }: FiledSubmission) =>
  Object.assign(new SubmitFormPayload(), { submissionId, receivedAt });

/** Returns the same of a submission that is stored: of one that staff has deleted since, as of now. */
export async function submissionPayload(
  context: RequestContext,
  id: number,
): Promise<SubmitFormPayload> {
  const select = { id: true, receivedAt: true };
  const found = await context.db.formSubmission.findUnique({ where: { id }, select });
  return payloadOf(found ?? { id, receivedAt: context.now() });
}

/**
 * Takes in what somebody sends by a form; 10 an hour of one member, or of all others at one address,
 * without retries under an Idempotency-Key. Who it is and what they scored is encrypted. Throws
 * FORM_NOT_FOUND, PHONE_INVALID, PLATFORM_INVALID, SCORE_INVALID, TOO_MANY_REQUESTS.
 */
export async function submitForm(
  context: RequestContext,
  input: SubmitFormInput,
): Promise<SubmitFormPayload> {
  const { formId, email, score, name } = input;
  const platform = platformOf(input);
  const { typed: phone, e164 } = phoneOf(input);
  refuseScore(score, 'score');
  if (!(await wasMade(context))) await guardForm(context);
  const receivedAt = context.now();
  const person = { name, email, phone, phoneE164: e164 ?? null, score };
  const data = {
    formId,
    accountId: context.viewer.id || null,
    platform,
    receivedAt,
    ...sealPerson(context.deps.keys, { formId, receivedAt }, person),
  };
  const submit = async (inner: RequestContext) => {
    await refuseClosed(inner, input);
    return (await inner.db.formSubmission.create({ data, select: { id: true } })).id;
  };
  return submissionPayload(context, await transact(context, submit, { replayable: true }));
}

/** Throws FORM_NOT_FOUND for a form that takes no submissions, and SCORE_INVALID. */
async function refuseClosed(
  inner: RequestContext,
  { formId, score }: SubmitFormInput,
): Promise<void> {
  const [form] = await formsById(inner, [formId]);
  if (!form?.open) throw refuse('FORM_NOT_FOUND', 'There is no such form.', { param: 'formId' });
  const { scoreLeast, scoreMost } = form;
  if (score < scoreLeast || score > scoreMost)
    throw refuse('SCORE_INVALID', `The score of this form is ${scoreLeast} to ${scoreMost}.`, {
      param: 'score',
    });
}
