import { ObjectType } from 'type-graphql';
import { Visible } from '../../core/access.js';
import { type EnumValue, enumType } from '../../core/enum-type.js';
import { payloadType } from '../../core/payload.js';
import { DateTime, Email, WebAddress } from '../../core/scalars.js';

/** State of the connection to a mailbox. */
export const ConnectionStatus = enumType(
  'MailConnectionStatus',
  'How the connection to a mailbox is.',
  {
    NONE: ['none', 'No mailbox was connected.'],
    CONNECTED: ['connected', 'Mail goes through the mailbox.'],
    REVOKED: ['revoked', 'The mailbox withdrew its permission: connect it again.'],
  },
);
export type ConnectionStatus = EnumValue<typeof ConnectionStatus>;

/** How mail is sent. */
export const MailRoute = enumType('MailRoute', 'Where mail goes.', {
  OUTLOOK: [
    'outlook',
    'Through the connected mailbox; after its permission was withdrawn, mail waits for it.',
  ],
  SMTP: ['smtp', 'Through the configured SMTP server.'],
  OUTBOX: ['outbox', 'Nowhere: into files on the machine of the service.'],
});
export type MailRoute = EnumValue<typeof MailRoute>;

@ObjectType({
  description: 'The mailbox that mail of the service can go through, and where mail goes now.',
})
export class ConnectedMailbox {
  @Visible({ description: 'Whether the service was set up for connecting a mailbox.' })
  configured!: boolean;

  @Visible(() => MailRoute, { description: 'Where mail goes now.' })
  route!: MailRoute;

  @Visible(() => ConnectionStatus, { description: 'How the connection to the mailbox is.' })
  status!: ConnectionStatus;

  @Visible(() => Email, {
    nullable: true,
    description: 'Address of the mailbox; null when none was connected.',
  })
  address!: string | null;

  @Visible(() => DateTime, {
    nullable: true,
    description: 'When the mailbox was connected, in UTC.',
  })
  connectedAt!: Date | null;

  @Visible(() => DateTime, {
    nullable: true,
    description: 'When the permission was found to be withdrawn, in UTC.',
  })
  revokedAt!: Date | null;
}

/** A connection that has been begun. */
export interface BegunConnection {
  readonly url: string;
  readonly expiresAt: Date;
}

export const ConnectOutlookPayload = payloadType<BegunConnection>('ConnectOutlook', {
  url: {
    type: () => WebAddress,
    description: "Address of Microsoft's authorization page, for the administrator's browser.",
  },
  expiresAt: { type: () => DateTime, description: 'Until when the browser may come back, in UTC.' },
});

export const DisconnectOutlookPayload = payloadType<{ mailConnection: ConnectedMailbox }>(
  'DisconnectOutlook',
  {
    mailConnection: {
      type: () => ConnectedMailbox,
      description: 'Where mail goes now.',
    },
  },
);

@ObjectType({ description: 'What somebody reads who comes back from the authorization page.' })
export class ConnectionPage {
  @Visible({ description: 'Whether the mailbox is connected now.' })
  connected!: boolean;

  @Visible({ description: 'Heading of the page.' })
  title!: string;

  @Visible({ description: 'What happened, in a sentence.' })
  message!: string;
}
