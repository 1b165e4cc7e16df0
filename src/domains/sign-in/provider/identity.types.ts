import { ObjectType } from 'type-graphql';
import type { Slot } from '../../../config/providers.js';
import { Visible } from '../../../core/access.js';
import { type EnumValue, enumType } from '../../../core/enum-type.js';
import { DatabaseId, Node } from '../../../core/node.js';
import { DateTime } from '../../../core/scalars.js';

/** The place of an identity provider in the configuration. */
export const ProviderSlot = enumType(
  'ProviderSlot',
  'The place of an identity provider in the configuration of the service.',
  {
    A: ['A', 'The provider of IDP_A_….'],
    B: ['B', 'The provider of IDP_B_….'],
    C: ['C', 'The provider of IDP_C_….'],
  },
);
export type ProviderSlot = EnumValue<typeof ProviderSlot>;

@ObjectType({
  implements: Node,
  description:
    'Somebody at an identity provider, who signs in to the account. Seen by the account alone.',
})
export class Identity {
  constructor(
    row: Pick<Identity, 'id' | 'email' | 'createdAt'> & { issuer: string; usedAt: Date },
    provider: { slot: Slot; name: string | undefined } | undefined,
  ) {
    const { issuer, id, email, createdAt, usedAt } = row;
    Object.assign(this, {
      id,
      email,
      createdAt,
      lastUsedAt: usedAt,
      provider: provider?.slot ?? null,
      providerName: provider?.name ?? new URL(issuer).host,
    });
  }

  @DatabaseId()
  id!: number;

  @Visible(() => ProviderSlot, {
    nullable: true,
    description: 'Where the provider stands now; null when it is configured no more.',
  })
  provider!: Slot | null;

  @Visible({ description: "The provider's name as configured, otherwise its host." })
  providerName!: string;

  @Visible(() => String, {
    nullable: true,
    description: 'E-mail address as the provider last told it; null when it tells none.',
  })
  email!: string | null;

  @Visible(() => DateTime, { description: 'When it was first used here, in UTC.' })
  createdAt!: Date;

  @Visible(() => DateTime, { description: 'When it last signed in, in UTC.' })
  lastUsedAt!: Date;
}
