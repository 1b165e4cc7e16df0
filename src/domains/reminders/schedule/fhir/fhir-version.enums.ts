import { registerEnumType } from 'type-graphql';

/** The releases of FHIR that a Dosage is read from and written in, for GraphQL. */
export const FhirVersion = { R4: 'R4', R5: 'R5' } as const;
export type FhirVersion = keyof typeof FhirVersion;
registerEnumType(FhirVersion, {
  name: 'FhirVersion',
  description: 'A release of HL7 FHIR.',
  valuesConfig: {
    R4: { description: 'Release 4, 4.0.1.' },
    R5: { description: 'Release 5, 5.0.0.' },
  },
});
