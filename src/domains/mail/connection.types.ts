import { ObjectType, registerEnumType } from 'type-graphql';
import { Visible } from '../../core/access.js';
import { payloadType } from '../../core/payload.js';
import { DateTime, Email, WebAddress } from '../../core/scalars.js';

/** State of the connection to a mailbox. */
export enum ConnectionStatus {
  NONE = 'none',
  CONNECTED = 'connected',
  REVOKED = 'revoked',
}

registerEnumType(ConnectionStatus, {
  name: 'MailConnectionStatus',
  description: 'How the connection to a mailbox is.',
  valuesConfig: {
    NONE: { description: 'No mailbox was connected.' },
    CONNECTED: { description: 'Mail goes through the mailbox.' },
    REVOKED: { description: 'The mailbox withdrew its permission: connect it again.' },
  },
});

/** How mail is sent. */
export enum MailRoute {
  OUTLOOK = 'outlook',
  SMTP = 'smtp',
  OUTBOX = 'outbox',
}

registerEnumType(MailRoute, {
  name: 'MailRoute',
  description: 'Where mail goes.',
  valuesConfig: {
    OUTLOOK: { description: 'Through the connected mailbox.' },
    SMTP: { description: 'Through the configured SMTP server.' },
    OUTBOX: { description: 'Nowhere: into files on the machine of the service.' },
  },
});

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
