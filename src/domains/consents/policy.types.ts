import { Int, ObjectType } from 'type-graphql';
import { Visible } from '../../core/access.js';
import { WEIGHTS, Weight } from '../../core/cost.js';
import { Internal } from '../../core/marks.js';
import { DatabaseId, Node } from '../../core/node.js';
import { connectionType } from '../../core/paging.js';
import { payloadType } from '../../core/payload.js';
import { DateTime } from '../../core/scalars.js';
import { Language } from '../site/language.types.js';

@ObjectType({
  implements: Node,
  description: 'A version of the policy that members agree to, in one language.',
})
export class Policy {
  @DatabaseId()
  id!: number;

  @Visible(() => Int, {
    name: 'number',
    description: 'Counts the versions in its language, from 1.',
  })
  version!: number;

  @Visible(() => Language, { description: 'The language that it is written in.' })
  language!: Language;

  @Visible({ description: 'Its title.' })
  title!: string;

  @Weight(WEIGHTS.text)
  @Visible({ description: 'Its text, as HTML that is safe to show.' })
  text!: string;

  @Visible(() => DateTime, { description: 'From when on it is in force, in UTC.' })
  effectiveAt!: Date;

  @Visible(() => Int, {
    nullable: true,
    description: 'How many have agreed, erased accounts included. For administrators; else null.',
  })
  agreementCount!: number | null;

  @Visible(() => DateTime, {
    nullable: true,
    description: 'When the viewer agreed to it, in UTC; null for not yet.',
  })
  viewerAgreedAt!: Date | null;
}

/** A page of policies. */
export const PolicyConnection = connectionType(Policy, 'Policy', 'a policy');

@ObjectType({ description: 'What `agreeToPolicy` changed.' })
export class AgreeToPolicyPayload {
  @Visible(() => Policy, { description: 'The policy that the viewer has agreed to.' })
  policy!: Policy;

  @Internal()
  @Visible(() => Int, { description: 'The version that was agreed to.' })
  get policyVersion(): number {
    return this.policy.version;
  }

  @Internal()
  @Visible(() => DateTime, { nullable: true, description: 'When it was agreed to.' })
  get agreedAt(): Date | null {
    return this.policy.viewerAgreedAt;
  }
}

const changed = { policy: { type: () => Policy, description: 'The policy.' } };
export const CreatePolicyPayload = payloadType<{ policy: Policy }>('CreatePolicy', changed);
export const DeletePolicyPayload = payloadType<{ policy: Policy }>('DeletePolicy', {
  policy: { type: () => Policy, description: 'The policy as it was.' },
});
