import { Field, Float, Int, ObjectType } from 'type-graphql';
import { Access, anyone } from '../../core/access.js';
import { Rows } from '../../core/cost.js';
import { Internal } from '../../core/marks.js';
import { DatabaseId, Node } from '../../core/node.js';
import { connectionType } from '../../core/paging.js';
import { payloadType } from '../../core/payload.js';
import { DateTime, Email } from '../../core/scalars.js';

@ObjectType({ implements: Node, description: 'A form that people fill in and send.' })
export class Form {
  @DatabaseId()
  id!: number;

  @Access(anyone)
  @Field({ description: 'Name as shown.' })
  name!: string;

  @Access(anyone)
  @Field(() => Float, { description: 'The least score.' })
  scoreLeast!: number;

  @Access(anyone)
  @Field(() => Float, { description: 'The most.' })
  scoreMost!: number;

  @Access(anyone)
  @Field(() => Int, { description: 'Days after which submissions are deleted.' })
  retentionDays!: number;

  @Access(anyone)
  @Field(() => Boolean, { description: 'Whether submissions are taken.' })
  open!: boolean;
}

@ObjectType({ description: 'A field of a submission as it was sent.' })
export class SentField {
  @Access(anyone)
  @Field({ description: 'Its name.' })
  field!: string;

  @Access(anyone)
  @Field({ description: 'Its text; of what was no text, the JSON.' })
  text!: string;
}

@ObjectType({ implements: Node, description: 'What somebody sent by a form. For staff.' })
export class FormSubmission {
  formId!: number | null;

  @DatabaseId()
  id!: number;

  @Access(anyone)
  @Field(() => DateTime, { description: 'When it came, in UTC.' })
  receivedAt!: Date;

  @Access(anyone)
  @Field({
    description: 'What it was sent from, such as `android`; `other` for what is not known.',
  })
  platform!: string;

  @Access(anyone)
  @Field(() => String, { nullable: true, description: 'Who sent it; null if it is unreadable.' })
  name!: string | null;

  @Access(anyone)
  @Field(() => Email, { nullable: true, description: 'Their e-mail address, not proven.' })
  email!: string | null;

  @Access(anyone)
  @Field(() => String, { nullable: true, description: 'Their telephone number, as typed.' })
  phone!: string | null;

  @Access(anyone)
  @Field(() => String, {
    nullable: true,
    description: 'The same as +4930901820; null when its country is not known.',
  })
  phoneE164!: string | null;

  @Access(anyone)
  @Field(() => Float, {
    nullable: true,
    description: 'The score; null for a text that is none.',
  })
  score!: number | null;

  @Access(anyone)
  @Rows(2)
  @Field(() => [String], {
    description:
      'Names of the fields that were not understood, for staff to look at: form, name, email, ' +
      'phone, platform, score. A form that was not found, or takes nothing more, is one.',
  })
  marks!: readonly string[];

  @Access(anyone)
  @Rows(3)
  @Field(() => [SentField], {
    description: 'What was sent, of the fields that were read otherwise or not at all.',
  })
  asSent!: readonly SentField[];
}

/** A page of submissions. */
export const FormSubmissionConnection = connectionType(
  FormSubmission,
  'FormSubmission',
  'a submission',
);

/** What a sender is told. */
export interface Received {
  readonly submissionId: number;
  readonly receivedAt: Date;
}

@ObjectType('SubmitFormPayload', { description: 'What `submitForm` took in.' })
export class SubmitFormPayload implements Received {
  @Internal()
  @Access(anyone)
  @Field(() => Int, { description: 'Number of the submission.' })
  submissionId!: number;

  @Access(anyone)
  @Field(() => DateTime, { description: 'When it came, in UTC.' })
  receivedAt!: Date;
}

const now = { form: { type: () => Form, description: 'The form as it is now.' } };
export const CreateFormPayload = payloadType<{ form: Form }>('CreateForm', now);
export const UpdateFormPayload = payloadType<{ form: Form }>('UpdateForm', now);
export const DeleteFormSubmissionPayload = payloadType<{ submission: FormSubmission }>(
  'DeleteFormSubmission',
  { submission: { type: () => FormSubmission, description: 'The submission as it was.' } },
);
