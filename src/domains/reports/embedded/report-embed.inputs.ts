import { Field, InputType } from 'type-graphql';
import { IdField, idInput } from '../../../core/marks.js';
import { DateTime, FrameOrigin } from '../../../core/scalars.js';

/** Origins of an embedded report: they are one header. */
export const MOST_ORIGINS = 10;

@InputType({ description: 'A saved report to show in frames.' })
export class CreateReportEmbedInput {
  @IdField('SavedReport', { description: 'The saved report.' })
  reportId!: number;

  @Field(() => [FrameOrigin], {
    description: `The origins whose pages may frame it, 1 to ${MOST_ORIGINS}. TOO_MANY.`,
  })
  origins!: string[];

  @Field(() => DateTime, {
    nullable: true,
    description: 'Until when it is shown: at most a year. Default: 90 days. DATE_INVALID.',
  })
  expiresAt?: Date | null;
}

@InputType({ description: 'An embedded report that shows nothing from now on.' })
export class RevokeReportEmbedInput extends idInput('ReportEmbed', 'The embedded report.') {}
