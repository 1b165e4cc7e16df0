import { Field, InputType } from 'type-graphql';
import { BasedOn, IdField, IdsField, idInput } from '../../core/marks.js';
import { Secret, ShortText } from '../../core/scalars.js';
import type { CareRight } from './care.service.js';
import { CareRights } from './care-relation.types.js';

@InputType({ description: 'Whom a member invites to care for them.' })
export class InviteCarerInput {
  @Field(() => ShortText, {
    description: 'E-mail address, or user name of an account; case is ignored.',
  })
  to!: string;

  @Field(() => CareRights, { description: 'What the carer will be able to do.' })
  right!: CareRight;
}

@InputType({ description: 'The code of an invitation, as it was mailed.' })
export class CareCodeInput {
  @Field(() => Secret, {
    description: '8 letters and digits; case, blanks and dashes do not count.',
  })
  code!: string;
}

@InputType({ description: 'An invitation to withdraw.' })
export class WithdrawCareInvitationInput extends idInput('CareInvitation', 'The invitation.') {}

@InputType({ description: 'What a carer may do from now on.' })
export class ChangeCareRightInput {
  @IdField('CareRelation', { description: 'The relation.' })
  id!: number;

  @BasedOn()
  version?: number | null;

  @Field(() => CareRights, { description: 'What the carer may do.' })
  right!: CareRight;
}

@InputType({ description: 'A relation to end.' })
export class EndCareInput extends idInput('CareRelation', 'The relation.') {}

@InputType({ description: 'The order in which carers are notified of a missed dose.' })
export class OrderCarersInput {
  @IdsField('CareRelation', {
    description: "Ids of all of the member's relations, each once, the first to be told first.",
  })
  ids!: number[];
}
