import { enumType } from '../../../../core/enum-type.js';

/** The releases of FHIR that a Dosage is read from and written in, for GraphQL. */
export const FhirVersion = enumType('FhirVersion', 'A release of HL7 FHIR.', {
  R4: ['R4', 'Release 4, 4.0.1.'],
  R5: ['R5', 'Release 5, 5.0.0.'],
});
export type FhirVersion = keyof typeof FhirVersion;
