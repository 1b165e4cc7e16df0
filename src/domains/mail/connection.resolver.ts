import { Ctx, Resolver } from 'type-graphql';
import { Access, administrators, anyone, bySession } from '../../core/access.js';
import type { RequestContext } from '../../core/context.js';
import { InputArg, Internal } from '../../core/marks.js';
import { Mutation, Query } from '../../core/root-fields.js';
import { CompleteOutlookInput } from './connection.inputs.js';
import {
  completeOutlook,
  connectOutlook,
  disconnectOutlook,
  mailConnection,
} from './connection.service.js';
import {
  type BegunConnection,
  ConnectedMailbox,
  ConnectionPage,
  ConnectOutlookPayload,
  DisconnectOutlookPayload,
} from './connection.types.js';

/** Root fields that connect a mailbox at Microsoft. */
@Resolver()
export class MailConnectionResolver {
  @Access(administrators)
  @Query(() => ConnectedMailbox, {
    description: 'Where mail of the service goes. For administrators.',
  })
  async mailConnection(@Ctx() context: RequestContext): Promise<ConnectedMailbox> {
    return mailConnection(context);
  }

  @Access(bySession(administrators))
  @Mutation(() => ConnectOutlookPayload, {
    description:
      'Begins to connect a mailbox at Microsoft that mail then goes through. For administrators. ' +
      'OUTLOOK_NOT_CONFIGURED, OUTLOOK_UNREACHABLE; FORBIDDEN by an application password.',
  })
  async connectOutlook(@Ctx() context: RequestContext): Promise<BegunConnection> {
    return connectOutlook(context);
  }

  @Access(administrators)
  @Mutation(() => DisconnectOutlookPayload, {
    description: 'Ends the connection to the mailbox. For administrators.',
  })
  async disconnectOutlook(
    @Ctx() context: RequestContext,
  ): Promise<{ mailConnection: ConnectedMailbox }> {
    return { mailConnection: await disconnectOutlook(context) };
  }

  @Internal()
  @Access(anyone)
  @Mutation(() => ConnectionPage, {
    nullable: false,
    description:
      'Completes a connection with what the browser brought back from the authorization page. ' +
      'FORBIDDEN for any other state.',
  })
  async completeOutlook(
    @Ctx() context: RequestContext,
    @InputArg(CompleteOutlookInput) input: CompleteOutlookInput,
  ): Promise<ConnectionPage> {
    return completeOutlook(context, input);
  }
}
