import { GraphQLLocalTime } from 'graphql-scalars';
import { Field, Float, Int, ObjectType, registerEnumType } from 'type-graphql';
import { Access, anyone } from '../../../core/access.js';
import { Rows, WEIGHTS, Weight } from '../../../core/cost.js';
import { DatabaseId, Node } from '../../../core/node.js';
import { connectionType } from '../../../core/paging.js';
import { changePayloads } from '../../../core/payload.js';
import { DateTime, Email, LanguageTag, TimeZone, WebAddress } from '../../../core/scalars.js';
import { Weekday } from '../../../core/weekday.js';

/** What helps people to use a service. */
export enum Accessibility {
  WHEELCHAIR = 'wheelchair',
  ACCESSIBLE_TOILET = 'accessible_toilet',
  ACCESSIBLE_PARKING = 'accessible_parking',
  LIFT = 'lift',
  INDUCTION_LOOP = 'induction_loop',
  SIGN_LANGUAGE = 'sign_language',
  BRAILLE = 'braille',
  PLAIN_LANGUAGE = 'plain_language',
  ASSISTANCE_DOGS = 'assistance_dogs',
}

registerEnumType(Accessibility, {
  name: 'Accessibility',
  description: 'What helps people to use a service.',
  valuesConfig: {
    WHEELCHAIR: { description: 'All rooms for clients are reached with a wheelchair.' },
    ACCESSIBLE_TOILET: { description: 'A toilet for people in wheelchairs.' },
    ACCESSIBLE_PARKING: { description: 'Parking for people with disabilities.' },
    LIFT: { description: 'A lift.' },
    INDUCTION_LOOP: { description: 'An induction loop for hearing aids.' },
    SIGN_LANGUAGE: { description: 'Somebody who signs.' },
    BRAILLE: { description: 'Signs in Braille.' },
    PLAIN_LANGUAGE: { description: 'Papers in plain language.' },
    ASSISTANCE_DOGS: { description: 'Assistance dogs are welcome.' },
  },
});

/** How many hours, types and languages a service has at most. */
export const MOST = { hours: 50, types: 20, languages: 30 } as const;

@ObjectType({ description: 'Where a service is.' })
export class HealthcareServicePlace {
  @Access(anyone)
  @Field({ description: 'Postal address, in lines; may be empty.' })
  address!: string;

  @Access(anyone)
  @Field(() => Float, { nullable: true, description: 'Degrees north (WGS 84); null if unknown.' })
  latitude!: number | null;

  @Access(anyone)
  @Field(() => Float, { nullable: true, description: 'Degrees east (WGS 84); null if unknown.' })
  longitude!: number | null;
}

@ObjectType({ description: "Hours on a day of the week, by the clocks of the service's zone." })
export class OpeningHours {
  @Access(anyone)
  @Field(() => Weekday, { description: 'The day on which it opens.' })
  weekday!: Weekday;

  @Access(anyone)
  @Field(() => GraphQLLocalTime, { description: 'When it opens.' })
  opens!: string;

  @Access(anyone)
  @Field(() => GraphQLLocalTime, {
    description: 'When it closes; a time that is not after `opens` is one of the next day.',
  })
  closes!: string;
}

@ObjectType({ implements: Node, description: 'A service of the healthcare directory.' })
export class HealthcareService {
  typeIds!: number[];

  @DatabaseId()
  id!: number;

  @Access(anyone)
  @Field({ description: 'Name as shown.' })
  name!: string;

  @Access(anyone)
  @Weight(WEIGHTS.text)
  @Field({ description: 'What it offers; may be empty.' })
  description!: string;

  @Access(anyone)
  @Field(() => HealthcareServicePlace, { description: 'Where it is.' })
  place!: HealthcareServicePlace;

  @Access(anyone)
  @Field(() => Int, {
    nullable: true,
    description: 'Distance in meters from the place that was asked for; null without one.',
  })
  distanceMeters!: number | null;

  @Access(anyone)
  @Field(() => TimeZone, { description: 'The zone of its opening hours.' })
  timeZone!: string;

  @Access(anyone)
  @Rows(MOST.hours)
  @Field(() => [OpeningHours], {
    description: 'When it is open in every week, at most 50; empty when nobody knows.',
  })
  openingHours!: OpeningHours[];

  @Access(anyone)
  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether it is open now: whether the clocks of its zone show a time within its hours. Null ' +
      'when nobody knows.',
  })
  isOpen!: boolean | null;

  @Access(anyone)
  @Field(() => DateTime, {
    nullable: true,
    description: 'When it opens next, in UTC; null while it is open, and when nobody knows.',
  })
  opensAt!: Date | null;

  @Access(anyone)
  @Field(() => DateTime, {
    nullable: true,
    description: 'When it closes, in UTC; null while it is closed, and when it never closes.',
  })
  closesAt!: Date | null;

  @Access(anyone)
  @Rows(MOST.languages)
  @Field(() => [LanguageTag], { description: 'Languages that are spoken, at most 30.' })
  languageCodes!: string[];

  @Access(anyone)
  @Field(() => String, { nullable: true, description: 'Telephone, as people dial it.' })
  phone!: string | null;

  @Access(anyone)
  @Field(() => Email, { nullable: true, description: 'E-mail address.' })
  email!: string | null;

  @Access(anyone)
  @Field(() => WebAddress, { nullable: true, description: 'Address of its web page.' })
  url!: string | null;

  @Access(anyone)
  @Rows(Object.keys(Accessibility).length)
  @Field(() => [Accessibility], { description: 'What helps people to use it.' })
  accessibility!: Accessibility[];

  @Access(anyone)
  @Field(() => DateTime, { description: 'When it was changed last, in UTC.' })
  updatedAt!: Date;

  @Access(anyone)
  @Field(() => Int, { description: 'Counts its changes; give it to `updateHealthcareService`.' })
  version!: number;
}

/** A page of services. */
export const HealthcareServiceConnection = connectionType(
  HealthcareService,
  'HealthcareService',
  'a service',
);

/** What a change of a service answers. */
export interface ChangedService {
  readonly service: HealthcareService;
}
export const [CreateServicePayload, UpdateServicePayload, DeleteServicePayload] =
  changePayloads<ChangedService>('HealthcareService', 'service', () => HealthcareService);
