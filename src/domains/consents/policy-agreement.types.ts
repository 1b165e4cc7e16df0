import { ObjectType } from 'type-graphql';
import { Visible } from '../../core/access.js';
import { Node, TextKey } from '../../core/node.js';
import { connectionType } from '../../core/paging.js';
import { DateTime } from '../../core/scalars.js';

@TextKey()
@ObjectType({ implements: Node, description: 'That an account agreed to a policy.' })
export class PolicyAgreement {
  /** Key in global ids: the policy and the account, as in `12-345`. */
  id!: string;

  /** The account that agreed. */
  accountId!: number;

  @Visible(() => DateTime, { description: 'When, in UTC.' })
  agreedAt!: Date;
}

/** A page of agreements. */
export const PolicyAgreementConnection = connectionType(
  PolicyAgreement,
  'PolicyAgreement',
  'an agreement',
);
