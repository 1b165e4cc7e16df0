import { ObjectType } from 'type-graphql';
import { Visible } from '../../../core/access.js';
import { enumType } from '../../../core/enum-type.js';
import { conceptName } from '../schedule/fhir/dose-reading.js';
import type { Concept, KeptDosage } from '../schedule/fhir/prescription.js';
import { readingsOf } from '../schedule/words/read.js';
import type { NotePart } from '../schedule/words/said.js';

/** The parts of a direction that do not change when it rings, for GraphQL. */
export const DirectionPartKind = enumType(
  'DirectionPartKind',
  'What a part of a direction is about.',
  {
    VERB: ['verb', 'What is done: take, apply.'],
    FORM: ['form', 'What it comes as, where no number stands before it.'],
    STRENGTH: ['strength', 'The strength of one: 500 mg of a tablet.'],
    ROUTE: ['route', 'The way into the body: by mouth.'],
    SITE: ['site', 'Where on the body: in both eyes.'],
    INDICATION: ['indication', 'What it is for: for pain.'],
    MEDICINE: ['medicine', 'The name of the medicine, or how it is made.'],
    ADVICE: ['advice', 'Anything else to heed: with food.'],
  },
) satisfies Record<string, NotePart>;

@ObjectType({ description: 'A part of a direction that does not change when it rings.' })
export class DirectionPart {
  constructor(
    readonly part: NotePart,
    readonly words: string,
  ) {}

  @Visible(() => DirectionPartKind, { description: 'What it is about.' })
  get kind(): NotePart {
    return this.part;
  }

  @Visible({
    description:
      'Its words as they were understood: in lower case, without accents. Of a FHIR Dosage as they ' +
      'came.',
  })
  get text(): string {
    return this.words;
  }
}

/** Returns the parts of a FHIR Dosage besides how often and how much: route, site, reason, advice. */
export function dosageParts(dosage: KeptDosage): DirectionPart[] {
  const { route, site, method, asNeededFor = [], steps } = dosage;
  const part = (kind: NotePart, concepts: readonly (Concept | undefined)[]) =>
    concepts.flatMap((concept) => (concept ? [new DirectionPart(kind, conceptName(concept))] : []));
  const advice = steps
    .flatMap(({ portions }) => portions)
    .flatMap(({ text, patientInstruction, additionalInstruction = [] }) => [
      ...[text, patientInstruction].flatMap((words) => words ?? []),
      ...additionalInstruction.map(conceptName),
    ]);
  return [
    ...part('verb', [method]),
    ...part('route', [route]),
    ...part('site', [site]),
    ...part('indication', asNeededFor),
    ...[...new Set(advice)].map((words) => new DirectionPart('advice', words)),
  ].slice(0, MOST);
}

/** Most parts that are shown of one direction. */
const MOST = 20;

/**
 * Returns the parts of a phrase besides how often and how much, in its order; none of a phrase that
 * is not understood, or has several meanings.
 */
export function directionParts(phrase: string | null): DirectionPart[] {
  const [reading, ...others] = readingsOf(phrase ?? '');
  if (!reading || others.length > 0) return [];
  const { strength } = reading.said;
  const notes = reading.notes.map(({ part, text }) => new DirectionPart(part, text));
  const stated = strength && new DirectionPart('strength', `${strength.value} ${strength.unit}`);
  return (stated ? [...notes, stated] : notes).slice(0, MOST);
}
