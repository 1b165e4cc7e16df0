import { Int, ObjectType } from 'type-graphql';
import { Visible } from '../../../core/access.js';
import { Internal } from '../../../core/marks.js';
import { DatabaseId, Node, Version } from '../../../core/node.js';
import { changePayloads } from '../../../core/payload.js';

@ObjectType('HealthcareServiceKind', {
  implements: Node,
  description:
    'A kind of healthcare service. Kinds form a tree: a search for one finds those below.',
})
export class HealthcareServiceType {
  @DatabaseId()
  id!: number;

  @Visible({ description: 'Name as shown.' })
  name!: string;

  @Visible({ description: 'What it stands for; may be empty.' })
  description!: string;

  @Internal()
  @Visible(() => Int, { nullable: true, description: 'Number of the type above; null at the top.' })
  parentId!: number | null;

  @Version()
  version!: number;
}

/** What a change of a type answers. */
export interface ChangedServiceType {
  readonly type: HealthcareServiceType;
}
export const [CreateServiceTypePayload, UpdateServiceTypePayload, DeleteServiceTypePayload] =
  changePayloads<ChangedServiceType>('HealthcareServiceType', 'type', () => HealthcareServiceType);
