import type { RequestContext } from '../../../core/context.js';
import { amountsOf } from '../amount/amount.service.js';
import { sayDirection } from '../amount/said-direction.service.js';
import { dosagesOf } from '../schedule/fhir/dosage-writing.js';
import type { FhirDosage } from '../schedule/fhir/fhir-dosage.js';
import type { FhirVersion } from '../schedule/fhir/fhir-version.enums.js';
import { memberOf } from '../setting/member.service.js';
import type { MedicineReminder } from './medicine-reminder.types.js';
import { prescribedOf } from './prescribed.js';

/**
 * Returns a medicine as FHIR Dosages: see `dosagesOf`. Reads its amounts and its member through
 * loaders. Words of the service are English, as everywhere in FHIR Dosages.
 */
export async function fhirDosagesOf(
  context: RequestContext,
  reminder: MedicineReminder,
  version: FhirVersion,
): Promise<readonly FhirDosage[]> {
  const { row } = reminder;
  const amounts = (await context.loader(amountsOf).load(row.id)) ?? [];
  const member = await memberOf(context, row.accountId);
  const isByDay = amounts.some(({ weekdays = [] }) => weekdays.length > 0);
  const said = isByDay ? await sayDirection(context, reminder, 'en') : null;
  return dosagesOf(prescribedOf(row, amounts, member, said), version);
}
