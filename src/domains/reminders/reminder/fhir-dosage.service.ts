import type { RequestContext } from '../../../core/context.js';
import { amountsOf } from '../amount/amount.service.js';
import { dosagesOf } from '../schedule/fhir/dosage-writing.js';
import type { FhirDosage } from '../schedule/fhir/fhir-dosage.js';
import type { FhirVersion } from '../schedule/fhir/fhir-version.enums.js';
import { memberOf } from '../setting/member.service.js';
import { prescribedOf } from './prescribed.js';
import type { ReminderRow } from './reminder.service.js';

/**
 * Returns a medicine as FHIR Dosages: see `dosagesOf`. Reads its amounts and its member through
 * loaders.
 */
export async function fhirDosagesOf(
  context: RequestContext,
  row: ReminderRow,
  version: FhirVersion,
): Promise<readonly FhirDosage[]> {
  const amounts = (await context.loader(amountsOf).load(row.id)) ?? [];
  const member = await memberOf(context, row.accountId);
  return dosagesOf(prescribedOf(row, amounts, member), version);
}
