import { ArgsType, Field, InputType } from 'type-graphql';
import { BasedOn, IdField, IdsField, Internal, idInput, Required } from '../../../core/marks.js';
import type { Order } from '../../../core/ordering.js';
import { PageArgs } from '../../../core/paging.js';
import {
  Email,
  LanguageTag,
  Latitude,
  Longitude,
  LongText,
  Meters,
  PageNumber,
  SearchText,
  ShortText,
  Text,
  TimeOfDay,
  TimeZone,
  WebAddress,
} from '../../../core/scalars.js';
import { Weekday } from '../../../core/weekday.js';
import { Accessibility } from './healthcare-service.types.js';
import { SERVICE_ORDERS } from './service-order.service.js';

@InputType({ description: 'A place to search around.' })
export class NearInput {
  @Required()
  @Field(() => Latitude, { nullable: true, description: 'Degrees north (WGS 84): -90 to 90.' })
  latitude?: number | null;

  @Required()
  @Field(() => Longitude, { nullable: true, description: 'Degrees east (WGS 84): -180 to 180.' })
  longitude?: number | null;

  @Field(() => Meters, {
    nullable: true,
    description: 'Only services at most this far away, in meters. Default: any distance.',
  })
  radiusMeters?: number | null;
}

@InputType({ description: 'Which services. Everything given must hold; null does not count.' })
export class HealthcareServiceFilter {
  @IdsField('HealthcareServiceKind', {
    nullable: true,
    description: 'Of one of these types, or of a type below them; at most 100.',
  })
  typeIds?: number[] | null;

  @Field(() => [LanguageTag], {
    nullable: true,
    description: 'Where one of these languages is spoken, in any region; at most 100.',
  })
  languageCodes?: string[] | null;

  @Field(() => [Accessibility], {
    nullable: true,
    description: 'Which have all of these; at most 100.',
  })
  accessibility?: Accessibility[] | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'True: only services that are open now. Those of unknown hours are left out.',
  })
  openNow?: boolean | null;
}

@ArgsType()
export class HealthcareServicesArgs extends PageArgs {
  @Field(() => NearInput, {
    nullable: true,
    description: 'Nearest first; services without a place are left out. Default: by name.',
  })
  near?: NearInput | null;

  @Field(() => SearchText, {
    nullable: true,
    description:
      'Only services whose name, description and address have words that begin with each of ' +
      'these. A minus before a word leaves out services that have it. Case and accents do not ' +
      'count.',
  })
  search?: string | null;

  @Field(() => HealthcareServiceFilter, {
    nullable: true,
    description: 'Which services. Default: all.',
  })
  filter?: HealthcareServiceFilter | null;

  @Field(() => SERVICE_ORDERS.input, {
    nullable: true,
    description: 'The order. Default DISTANCE around a place, else NAME, ASC.',
  })
  orderBy?: Order | null;

  @Internal()
  @Field(() => PageNumber, { nullable: true, description: 'Number of the page. Default 1.' })
  page?: number | null;
}

@InputType({ description: "Hours on a day of the week, by the clocks of the service's zone." })
export class OpeningHoursInput {
  @Field(() => Weekday, { description: 'The day on which it opens.' })
  weekday!: Weekday;

  @Field(() => TimeOfDay, { description: 'When it opens.' })
  opens!: string;

  @Field(() => TimeOfDay, {
    description:
      'When it closes; a time that is not after `opens` is one of the next day. The same: a ' +
      'whole day.',
  })
  closes!: string;
}

@InputType({ description: 'Where a service is.' })
export class HealthcareServicePlaceInput {
  @Field(() => Text, { nullable: true, description: 'Postal address. Default: none.' })
  address?: string | null;

  @Field(() => Latitude, { nullable: true, description: 'Degrees north, with `longitude`.' })
  latitude?: number | null;

  @Field(() => Longitude, { nullable: true, description: 'Degrees east, with `latitude`.' })
  longitude?: number | null;
}

/** What both inputs have, and null empties. `typeIds` stands in each: marks are not inherited. */
@InputType()
export abstract class HealthcareServiceFields {
  typeIds?: number[] | null;

  @Field(() => LongText, { nullable: true, description: 'What it offers.' })
  description?: string | null;

  @Field(() => HealthcareServicePlaceInput, {
    nullable: true,
    description: 'Where it is. NEAR_INVALID for latitude or longitude alone.',
  })
  place?: HealthcareServicePlaceInput | null;

  @Field(() => TimeZone, {
    nullable: true,
    description: "The zone of its opening hours. Default: the site's.",
  })
  timeZone?: string | null;

  @Field(() => [OpeningHoursInput], {
    nullable: true,
    description: 'When it is open in every week, at most 50. Default: nobody knows.',
  })
  openingHours?: OpeningHoursInput[] | null;

  @Field(() => [LanguageTag], {
    nullable: true,
    description: 'Languages that are spoken, at most 30.',
  })
  languageCodes?: string[] | null;

  @Field(() => Text, {
    nullable: true,
    description:
      'Telephone: with the code of its country, as +49 30 901820, or a short number such as 112. ' +
      'PHONE_INVALID.',
  })
  phone?: string | null;

  @Field(() => Email, { nullable: true, description: 'E-mail address.' })
  email?: string | null;

  @Field(() => WebAddress, { nullable: true, description: 'Address of its web page.' })
  url?: string | null;

  @Field(() => [Accessibility], { nullable: true, description: 'What helps people to use it.' })
  accessibility?: Accessibility[] | null;
}

@InputType({ description: 'A new healthcare service.' })
export class CreateHealthcareServiceInput extends HealthcareServiceFields {
  @Field(() => ShortText, { description: 'Name as shown.' })
  name!: string;

  @IdsField('HealthcareServiceKind', { nullable: true, description: 'Its types, at most 20.' })
  declare typeIds?: number[] | null;
}

@InputType({ description: 'A change of a healthcare service. What is absent stays, null empties.' })
export class UpdateHealthcareServiceInput extends HealthcareServiceFields {
  @IdField('HealthcareService', { description: 'The service.' })
  id!: number;

  @BasedOn()
  version?: number | null;

  @Field(() => ShortText, { nullable: true, description: 'Name; null stays as it is.' })
  name?: string | null;

  @IdsField('HealthcareServiceKind', { nullable: true, description: 'Its types, at most 20.' })
  declare typeIds?: number[] | null;
}

@InputType({ description: 'A healthcare service to delete for good.' })
export class DeleteHealthcareServiceInput extends idInput('HealthcareService', 'The service.') {}
