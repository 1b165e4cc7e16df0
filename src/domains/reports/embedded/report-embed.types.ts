import { ObjectType } from 'type-graphql';
import { Visible } from '../../../core/access.js';
import { Rows } from '../../../core/cost.js';
import { Node } from '../../../core/node.js';
import { connectionType } from '../../../core/paging.js';
import { payloadType } from '../../../core/payload.js';
import { DateTime } from '../../../core/scalars.js';

@ObjectType({
  implements: Node,
  description:
    'A saved report that whoever has its address sees in a frame of some origins, without signing ' +
    'in. Shown to who made it, to whom the report belongs, and to administrators; its address once.',
})
export class ReportEmbed {
  id!: number;

  reportId!: number | null;

  @Visible(() => String, { nullable: true, description: 'Its name; null when it was deleted.' })
  reportName!: string | null;

  @Visible({ description: 'Name of whoever made it, who is charged for what it shows.' })
  makerName!: string;

  @Rows(10)
  @Visible(() => [String], { description: 'The origins whose pages may frame it.' })
  origins!: string[];

  @Visible(() => DateTime, { description: 'When it was made.' })
  createdAt!: Date;

  @Visible(() => DateTime, { description: 'From when on it shows nothing.' })
  expiresAt!: Date;

  @Visible(() => DateTime, {
    nullable: true,
    description: 'When it was revoked; null: it was not.',
  })
  revokedAt!: Date | null;
}

/** A page of embedded reports. */
export const ReportEmbedConnection = connectionType(
  ReportEmbed,
  'ReportEmbed',
  'an embedded report',
);

/** What `createReportEmbed` makes. */
export interface CreatedEmbed {
  readonly reportEmbed: ReportEmbed;
  readonly url: string;
}

/** The payload of `createReportEmbed`. */
export const CreateReportEmbedPayload = payloadType<CreatedEmbed>('CreateReportEmbed', {
  reportEmbed: { type: () => ReportEmbed, description: 'The embedded report.' },
  url: {
    type: () => String,
    description:
      'The address for the frame: `<iframe src="…" sandbox></iframe>`. It is shown once, and ' +
      'whoever has it sees the report.',
  },
});

/** The payload of `revokeReportEmbed`. */
export const RevokeReportEmbedPayload = payloadType<Pick<CreatedEmbed, 'reportEmbed'>>(
  'RevokeReportEmbed',
  { reportEmbed: { type: () => ReportEmbed, description: 'The embedded report as it is now.' } },
);
