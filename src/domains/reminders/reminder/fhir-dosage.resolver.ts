import { GraphQLJSONObject } from 'graphql-scalars';
import { Arg, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { Access, anyone } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import { Rows, WEIGHTS, Weight } from '../../../core/cost.js';
import type { FhirDosage } from '../schedule/fhir/fhir-dosage.js';
import { FhirVersion } from '../schedule/fhir/fhir-version.enums.js';
import { fhirDosagesOf } from './fhir-dosage.service.js';
import { MedicineReminder } from './medicine-reminder.types.js';

@Resolver(() => MedicineReminder)
export class FhirDosageResolver {
  @Access(anyone)
  @Rows(10)
  @Weight(WEIGHTS.excerpt)
  @FieldResolver(() => [GraphQLJSONObject], {
    description:
      'How it is taken, as FHIR Dosages: timing, as needed, amounts, limits, route, site and words. ' +
      'Times with amounts of their own are Dosages of their own; a dose that is tapered has a ' +
      '`sequence` for each step. What FHIR has no Timing for, such as a cycle of days, is a text. ' +
      'Clock times are those of `timeZone`. As `fhirDosage` of an input they mean the same, if a ' +
      'reminder can hold them.',
  })
  async fhirDosages(
    @Ctx() context: RequestContext,
    @Root() reminder: MedicineReminder,
    @Arg('version', () => FhirVersion, {
      defaultValue: FhirVersion.R4,
      description: 'The release of FHIR.',
    })
    version: FhirVersion,
  ): Promise<readonly FhirDosage[]> {
    return fhirDosagesOf(context, reminder, version);
  }
}
