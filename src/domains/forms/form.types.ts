import { Float, Int, ObjectType } from 'type-graphql';
import { Visible } from '../../core/access.js';
import { Rows } from '../../core/cost.js';
import { Internal } from '../../core/marks.js';
import { DatabaseId, Node, Version } from '../../core/node.js';
import { connectionType } from '../../core/paging.js';
import { payloadType } from '../../core/payload.js';
import { DateTime, Email } from '../../core/scalars.js';

@ObjectType({ implements: Node, description: 'A form that people fill in and send.' })
export class Form {
  @DatabaseId()
  id!: number;

  @Version()
  version!: number;

  @Visible({ description: 'Name as shown.' })
  name!: string;

  @Visible(() => Float, { description: 'The least score.' })
  scoreLeast!: number;

  @Visible(() => Float, { description: 'The most.' })
  scoreMost!: number;

  @Visible(() => Int, { description: 'Days after which submissions are deleted.' })
  retentionDays!: number;

  @Visible(() => Boolean, { description: 'Whether submissions are taken.' })
  open!: boolean;
}

@ObjectType({ description: 'A field of a submission as it was sent.' })
export class SentField {
  @Visible({ description: 'Its name.' })
  field!: string;

  @Visible({ description: 'Its text; of what was no text, the JSON.' })
  text!: string;
}

@ObjectType({ implements: Node, description: 'What somebody sent by a form. For staff.' })
export class FormSubmission {
  formId!: number | null;

  @DatabaseId()
  id!: number;

  @Visible(() => DateTime, { description: 'When it came, in UTC.' })
  receivedAt!: Date;

  @Visible({
    description: 'What it was sent from, such as `android`; `other` for what is not known.',
  })
  platform!: string;

  @Visible(() => String, { nullable: true, description: 'Who sent it; null if it is unreadable.' })
  name!: string | null;

  @Visible(() => Email, { nullable: true, description: 'Their e-mail address, not proven.' })
  email!: string | null;

  @Visible(() => String, { nullable: true, description: 'Their telephone number, as typed.' })
  phone!: string | null;

  @Visible(() => String, {
    nullable: true,
    description: 'The same as +4930901820; null when its country is not known.',
  })
  phoneE164!: string | null;

  @Visible(() => Float, {
    nullable: true,
    description: 'The score; null for a text that is none.',
  })
  score!: number | null;

  @Rows(2)
  @Visible(() => [String], {
    description:
      'Names of the fields that were not understood, for staff to look at: form, name, email, ' +
      'phone, platform, score. A form that was not found, or takes nothing more, is one.',
  })
  marks!: readonly string[];

  @Rows(3)
  @Visible(() => [SentField], {
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
  @Visible(() => Int, { description: 'Number of the submission.' })
  submissionId!: number;

  @Visible(() => DateTime, { description: 'When it came, in UTC.' })
  receivedAt!: Date;
}

const now = { form: { type: () => Form, description: 'The form as it is now.' } };
export const CreateFormPayload = payloadType<{ form: Form }>('CreateForm', now);
export const UpdateFormPayload = payloadType<{ form: Form }>('UpdateForm', now);
export const DeleteFormSubmissionPayload = payloadType<{ submission: FormSubmission }>(
  'DeleteFormSubmission',
  { submission: { type: () => FormSubmission, description: 'The submission as it was.' } },
);
