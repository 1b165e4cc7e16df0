import type { Decimal } from '../../../../platform/decimal.js';
import type { Frequency } from '../frequency.types.js';

/** A FHIR Coding. */
export interface Coding {
  readonly system?: string;
  readonly version?: string;
  readonly code?: string;
  readonly display?: string;
  readonly userSelected?: boolean;
}

/** A FHIR CodeableConcept. */
export interface Concept {
  readonly coding?: readonly Coding[];
  readonly text?: string;
}

/** What a FHIR Quantity counts. */
export interface Unit {
  readonly unit?: string;
  readonly system?: string;
  readonly code?: string;
}

/** What a Dosage says to people. It changes neither a time nor an amount. */
export interface Remarks {
  readonly text?: string;
  readonly patientInstruction?: string;
  readonly additionalInstruction?: readonly Concept[];
  /** What kind of dose it is, such as ordered or calculated. */
  readonly doseType?: Concept;
}

/** How much is taken at some of the times of a day, or on some weekdays: one Dosage. */
export interface Portion extends Remarks {
  /** Places in the times of the frequency. Without them: at each time. */
  readonly times?: readonly number[];
  /** 1 Monday to 7 Sunday, in order. Without them: on each day. */
  readonly weekdays?: readonly number[];
  readonly amount?: Decimal;
  /** The larger end of a range of amounts. */
  readonly upTo?: Decimal;
}

/** The amounts from a day on. Several steps are a dose that is tapered. */
export interface Step {
  /** Days since `since`, or else since the first dose. The first step has 0. */
  readonly from: number;
  readonly portions: readonly Portion[];
}

/** What a Dosage says beside when: kept with the schedule, and written again. */
export interface KeptDosage {
  readonly steps: readonly Step[];
  /** YYYY-MM-DD: the day that steps count from. */
  readonly since?: string;
  readonly unit?: Unit;
  readonly route?: Concept;
  readonly site?: Concept;
  readonly method?: Concept;
  /** What it is taken for, as needed. */
  readonly asNeededFor?: readonly Concept[];
  /** Largest amount of 24 hours, as it was written, and how many doses that is. */
  readonly most?: { readonly value: Decimal; readonly of: Unit; readonly doses: number };
  /** As needed: the lower end of a range of times a day. */
  readonly frequency?: number;
  /** As needed: the upper end, in minutes, of a range of times between two doses. */
  readonly minutesUpTo?: number;
}

/** What some Dosages say together: one schedule, with what is kept beside it. */
export interface Prescription {
  readonly frequency: Frequency;
  /** The frequency in English words, or the text that says it. */
  readonly words: string;
  /** FHIR date or dateTime. */
  readonly start?: string;
  /** FHIR date or dateTime, included. */
  readonly end?: string;
  readonly kept: KeptDosage;
}
