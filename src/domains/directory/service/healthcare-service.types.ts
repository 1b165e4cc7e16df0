import { GraphQLLocalTime } from 'graphql-scalars';
import { Float, Int, ObjectType } from 'type-graphql';
import { Visible } from '../../../core/access.js';
import { Rows, WEIGHTS, Weight } from '../../../core/cost.js';
import { type EnumValue, enumType } from '../../../core/enum-type.js';
import { DatabaseId, Node, Version } from '../../../core/node.js';
import { connectionType } from '../../../core/paging.js';
import { changePayloads } from '../../../core/payload.js';
import { DateTime, Email, LanguageTag, TimeZone, WebAddress } from '../../../core/scalars.js';
import { Weekday } from '../../../core/weekday.js';

/** What helps people to use a service. */
export const Accessibility = enumType('Accessibility', 'What helps people to use a service.', {
  WHEELCHAIR: ['wheelchair', 'All rooms for clients are reached with a wheelchair.'],
  ACCESSIBLE_TOILET: ['accessible_toilet', 'A toilet for people in wheelchairs.'],
  ACCESSIBLE_PARKING: ['accessible_parking', 'Parking for people with disabilities.'],
  LIFT: ['lift', 'A lift.'],
  INDUCTION_LOOP: ['induction_loop', 'An induction loop for hearing aids.'],
  SIGN_LANGUAGE: ['sign_language', 'Somebody who signs.'],
  BRAILLE: ['braille', 'Signs in Braille.'],
  PLAIN_LANGUAGE: ['plain_language', 'Papers in plain language.'],
  ASSISTANCE_DOGS: ['assistance_dogs', 'Assistance dogs are welcome.'],
});
export type Accessibility = EnumValue<typeof Accessibility>;

/** How many hours, types and languages a service has at most. */
export const MOST = { hours: 50, types: 20, languages: 30 } as const;

@ObjectType({ description: 'Where a service is.' })
export class HealthcareServicePlace {
  @Visible({ description: 'Postal address, in lines; may be empty.' })
  address!: string;

  @Visible(() => Float, { nullable: true, description: 'Degrees north (WGS 84); null if unknown.' })
  latitude!: number | null;

  @Visible(() => Float, { nullable: true, description: 'Degrees east (WGS 84); null if unknown.' })
  longitude!: number | null;
}

@ObjectType({ description: "Hours on a day of the week, by the clocks of the service's zone." })
export class OpeningHours {
  @Visible(() => Weekday, { description: 'The day on which it opens.' })
  weekday!: Weekday;

  @Visible(() => GraphQLLocalTime, { description: 'When it opens.' })
  opens!: string;

  @Visible(() => GraphQLLocalTime, {
    description: 'When it closes; a time that is not after `opens` is one of the next day.',
  })
  closes!: string;
}

@ObjectType({ implements: Node, description: 'A service of the healthcare directory.' })
export class HealthcareService {
  typeIds!: number[];

  @DatabaseId()
  id!: number;

  @Visible({ description: 'Name as shown.' })
  name!: string;

  @Weight(WEIGHTS.text)
  @Visible({ description: 'What it offers; may be empty.' })
  description!: string;

  @Visible(() => HealthcareServicePlace, { description: 'Where it is.' })
  place!: HealthcareServicePlace;

  @Visible(() => Int, {
    nullable: true,
    description: 'Distance in meters from the place that was asked for; null without one.',
  })
  distanceMeters!: number | null;

  @Visible(() => TimeZone, { description: 'The zone of its opening hours.' })
  timeZone!: string;

  @Rows(MOST.hours)
  @Visible(() => [OpeningHours], {
    description: 'When it is open in every week, at most 50; empty when nobody knows.',
  })
  openingHours!: OpeningHours[];

  @Visible(() => Boolean, {
    nullable: true,
    description:
      'Whether it is open now: whether the clocks of its zone show a time within its hours. Null ' +
      'when nobody knows.',
  })
  isOpen!: boolean | null;

  @Visible(() => DateTime, {
    nullable: true,
    description: 'When it opens next, in UTC; null while it is open, and when nobody knows.',
  })
  opensAt!: Date | null;

  @Visible(() => DateTime, {
    nullable: true,
    description: 'When it closes, in UTC; null while it is closed, and when it never closes.',
  })
  closesAt!: Date | null;

  @Rows(MOST.languages)
  @Visible(() => [LanguageTag], { description: 'Languages that are spoken, at most 30.' })
  languageCodes!: string[];

  @Visible(() => String, { nullable: true, description: 'Telephone, as people dial it.' })
  phone!: string | null;

  @Visible(() => Email, { nullable: true, description: 'E-mail address.' })
  email!: string | null;

  @Visible(() => WebAddress, { nullable: true, description: 'Address of its web page.' })
  url!: string | null;

  @Rows(Object.keys(Accessibility).length)
  @Visible(() => [Accessibility], { description: 'What helps people to use it.' })
  accessibility!: Accessibility[];

  @Visible(() => DateTime, { description: 'When it was changed last, in UTC.' })
  updatedAt!: Date;

  @Version()
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
