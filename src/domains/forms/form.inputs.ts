import { Field, InputType } from 'type-graphql';
import { BasedOn, IdField, idInput } from '../../core/marks.js';
import {
  CountryCode,
  DateTime,
  Days,
  Email,
  PlainName,
  Score,
  SentText,
  ShortText,
} from '../../core/scalars.js';

@InputType({ description: 'What somebody sends by a form.' })
export class SubmitFormInput {
  @IdField('Form', { description: 'The form. FORM_NOT_FOUND.' })
  formId!: number;

  @Field(() => PlainName, { description: 'Who sends it.' })
  name!: string;

  @Field(() => Email, { description: 'Their e-mail address.' })
  email!: string;

  @Field(() => ShortText, {
    description:
      'Their telephone number, as they write it: with the code of its country, or as it is ' +
      'dialled within one. PHONE_INVALID.',
  })
  phone!: string;

  @Field(() => ShortText, {
    description:
      'What it is sent from: ios, ipados, android, harmonyos, web, windows, macos or linux. Case ' +
      'does not count. PLATFORM_INVALID.',
  })
  platform!: string;

  @Field(() => Score, {
    description:
      'The score, of two decimals at most, within the bounds of the form. SCORE_INVALID.',
  })
  score!: number;

  @Field(() => CountryCode, {
    nullable: true,
    description: 'The country of a number without the code of one. Default: nobody knows.',
  })
  country?: string | null;
}

@InputType({ description: 'What an app sends by a form, taken as it comes.' })
export class FileSubmissionInput {
  @Field(() => SentText, { description: 'The form, by its number or its name.' })
  form!: string;

  @Field(() => SentText, { description: 'Who sends it.' })
  name!: string;

  @Field(() => SentText, { description: 'Their e-mail address.' })
  email!: string;

  @Field(() => SentText, { description: 'Their telephone number.' })
  phone!: string;

  @Field(() => SentText, { description: 'What it is sent from.' })
  platform!: string;

  @Field(() => SentText, { description: 'The score.' })
  score!: string;

  @Field(() => SentText, {
    nullable: true,
    description: 'The country of the number, by its two letters (ISO 3166-1).',
  })
  country?: string | null;
}

@InputType({ description: 'A new form.' })
export class CreateFormInput {
  @Field(() => ShortText, { description: 'Name as shown.' })
  name!: string;

  @Field(() => Score, { description: 'The least score. FORM_BOUNDS_INVALID above the most.' })
  scoreLeast!: number;

  @Field(() => Score, { description: 'The most.' })
  scoreMost!: number;

  @Field(() => Days, {
    nullable: true,
    description: 'After how many days submissions are deleted: 1 to 3,650. Default 180.',
  })
  retentionDays?: number | null;
}

@InputType({ description: 'A change of a form. What is absent or null stays.' })
export class UpdateFormInput {
  @IdField('Form', { description: 'The form.' })
  id!: number;

  @BasedOn()
  version?: number | null;

  @Field(() => ShortText, { nullable: true, description: 'Name as shown.' })
  name?: string | null;

  @Field(() => Days, {
    nullable: true,
    description: 'After how many days submissions are deleted, those that there are too.',
  })
  retentionDays?: number | null;

  @Field(() => Boolean, { nullable: true, description: 'Whether submissions are taken.' })
  open?: boolean | null;
}

@InputType({ description: 'A submission to delete for good.' })
export class DeleteFormSubmissionInput extends idInput('FormSubmission', 'The submission.') {}

@InputType({ description: 'Which submissions. Everything given must hold; null does not count.' })
export class FormSubmissionFilter {
  @IdField('Form', { nullable: true, description: 'Of this form.' })
  formId?: number | null;

  @Field(() => DateTime, { nullable: true, description: 'That came at this moment or later.' })
  from?: Date | null;

  @Field(() => DateTime, { nullable: true, description: 'That came before this moment.' })
  to?: Date | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Those with a field that was not understood; false: the others.',
  })
  marked?: boolean | null;
}
