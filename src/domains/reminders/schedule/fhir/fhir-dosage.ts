import type { Concept, Unit } from './prescription.js';

/** A FHIR Quantity. */
export type FhirQuantity = Unit & { readonly value: number };

/** A FHIR Timing, as far as schedules are said by it. Clock times have no zone. */
export interface FhirTiming {
  readonly event?: readonly string[];
  readonly repeat?: FhirRepeat;
}

export interface FhirRepeat {
  readonly boundsPeriod?: { readonly start?: string; readonly end?: string };
  readonly count?: number;
  readonly frequency?: number;
  readonly frequencyMax?: number;
  readonly period?: number;
  readonly periodMax?: number;
  readonly periodUnit?: 'min' | 'h' | 'd' | 'wk' | 'mo';
  readonly dayOfWeek?: readonly string[];
  readonly timeOfDay?: readonly string[];
  readonly when?: readonly string[];
  readonly offset?: number;
}

interface FhirRatio {
  readonly numerator: FhirQuantity;
  readonly denominator: FhirQuantity;
}

/** A FHIR Dosage of R4 or R5, as far as reminders are said by it. */
export interface FhirDosage {
  readonly sequence?: number;
  readonly text?: string;
  readonly additionalInstruction?: readonly Concept[];
  readonly patientInstruction?: string;
  readonly timing?: FhirTiming;
  readonly asNeededBoolean?: boolean;
  readonly asNeededCodeableConcept?: Concept;
  readonly asNeeded?: boolean;
  readonly asNeededFor?: readonly Concept[];
  readonly site?: Concept;
  readonly route?: Concept;
  readonly method?: Concept;
  readonly doseAndRate?: readonly {
    readonly type?: Concept;
    readonly doseQuantity?: FhirQuantity;
    readonly doseRange?: { readonly low: FhirQuantity; readonly high: FhirQuantity };
  }[];
  readonly maxDosePerPeriod?: FhirRatio | readonly FhirRatio[];
}
