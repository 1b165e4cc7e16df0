import { Field, Int, ObjectType } from 'type-graphql';
import { Access, anyone } from '../../../core/access.js';
import { Internal } from '../../../core/marks.js';
import { Node } from '../../../core/node.js';
import { payloadType } from '../../../core/payload.js';

@ObjectType('HealthcareServiceKind', {
  implements: Node,
  description:
    'A kind of healthcare service. Kinds form a tree: a search for one finds those below.',
})
export class HealthcareServiceType {
  @Access(anyone)
  @Field(() => Int, { name: 'databaseId', description: 'The number that apps know it by.' })
  id!: number;

  @Access(anyone)
  @Field({ description: 'Name as shown.' })
  name!: string;

  @Access(anyone)
  @Field({ description: 'What it stands for; may be empty.' })
  description!: string;

  @Internal()
  @Access(anyone)
  @Field(() => Int, { nullable: true, description: 'Number of the type above; null at the top.' })
  parentId!: number | null;

  @Access(anyone)
  @Field(() => Int, {
    description: 'Counts its changes; give it to `updateHealthcareServiceType`.',
  })
  version!: number;
}

const now = {
  type: { type: () => HealthcareServiceType, description: 'The type as it is now.' },
};
/** What a change of a type answers. */
export interface ChangedServiceType {
  readonly type: HealthcareServiceType;
}
export const CreateServiceTypePayload = payloadType<ChangedServiceType>(
  'CreateHealthcareServiceType',
  now,
);
export const UpdateServiceTypePayload = payloadType<ChangedServiceType>(
  'UpdateHealthcareServiceType',
  now,
);
export const DeleteServiceTypePayload = payloadType<ChangedServiceType>(
  'DeleteHealthcareServiceType',
  { type: { type: () => HealthcareServiceType, description: 'The type as it was.' } },
);
