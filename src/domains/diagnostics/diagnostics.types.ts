import { Int, ObjectType } from 'type-graphql';
import { Visible } from '../../core/access.js';
import { Rows } from '../../core/cost.js';
import { DateTime } from '../../core/scalars.js';

@ObjectType({ description: 'A service of others that this one depends on, and its state.' })
export class ThirdParty {
  @Visible({
    description:
      'smtp, outlook, identity_provider_a to _c, expo, fcm, web_push, redis or ' +
      'poll_import; more may come.',
  })
  name!: string;

  @Visible({ description: 'Whether the configuration has it. Others are not asked.' })
  configured!: boolean;

  @Visible(() => Boolean, { nullable: true, description: 'Whether it works; null if not asked.' })
  ok!: boolean | null;

  @Visible(() => Int, {
    nullable: true,
    description: 'How long its response took, in milliseconds; null if not asked.',
  })
  latencyMs!: number | null;

  @Visible({ description: 'What is wrong, or what else is known: without a secret or an address.' })
  detail!: string;
}

@ObjectType({ description: 'The state of what the service depends on.' })
export class Diagnostics {
  @Visible(() => DateTime, { description: 'When it was found out, in UTC.' })
  checkedAt!: Date;

  @Rows(10)
  @Visible(() => [ThirdParty], { description: 'Each third party, configured or not.' })
  thirdParties!: ThirdParty[];
}
