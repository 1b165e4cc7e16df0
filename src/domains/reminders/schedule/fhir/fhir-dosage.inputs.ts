import { Field, InputType } from 'type-graphql';
import { FhirDosageJson } from '../../../../core/scalars.js';
import { FhirVersion } from './fhir-version.enums.js';

@InputType({
  description:
    'How a medicine is taken, as FHIR Dosages: `dosageInstruction` of a MedicationRequest, or ' +
    '`dosage` of a MedicationStatement. What a reminder cannot hold is SCHEDULE_INVALID, and the ' +
    'message names the element; nothing is dropped or guessed.',
})
export class FhirDosageInput {
  @Field(() => FhirVersion, { description: 'The release of FHIR that they are written in.' })
  version!: FhirVersion;

  @Field(() => [FhirDosageJson], {
    description:
      'The Dosages, 50 and 32 KiB at most. Those without or with the same `sequence` hold at the same time: ' +
      'other times of the same days, with amounts of their own. Those with another `sequence` ' +
      'follow each other: steps of a dose that is tapered.',
  })
  dosages!: object[];
}
