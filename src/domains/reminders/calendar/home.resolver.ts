import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { Access, anyone, signedIn } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import { Rows } from '../../../core/cost.js';
import { refuse } from '../../../core/errors.js';
import { IdArg } from '../../../core/marks.js';
import { Query } from '../../../core/root-fields.js';
import { CaredForMember } from '../../care/care-relation.types.js';
import { Adherence } from '../dose/adherence.types.js';
import { MedicineReminder } from '../reminder/medicine-reminder.types.js';
import type { Reminder } from '../reminder/reminder.types.js';
import { showReminder } from '../reminder/shown-reminder.service.js';
import { unrecognizedMedicines } from '../reminder/unrecognized.service.js';
import { AdherenceArgs } from './home.inputs.js';
import { adherence, homesById, memberHome, memberHomes } from './home.service.js';
import { MemberHome } from './home.types.js';

const MOST_MEMBERS = 100;

@Resolver()
export class HomeResolver {
  @Access(signedIn)
  @Query(() => MemberHome, {
    description: 'What a member sees first: today, the next appointment, the week. FORBIDDEN.',
  })
  async memberHome(
    @Ctx() context: RequestContext,
    @IdArg('memberId', 'Account', { nullable: true, description: 'Whose. Default: own.' })
    memberId: number | null | undefined,
  ): Promise<MemberHome> {
    return memberHome(context, memberId);
  }

  @Access(signedIn)
  @Rows(100, 'memberIds')
  @Query(() => [MemberHome], {
    description:
      'The same of several members at once, for those who care for them; at most 100. FORBIDDEN, ' +
      'TOO_MANY_MEMBERS.',
  })
  async memberHomes(
    @Ctx() context: RequestContext,
    @IdArg('memberIds', 'Account', { list: true, description: 'Whose; at most 100.' })
    memberIds: number[],
  ): Promise<MemberHome[]> {
    if (memberIds.length > MOST_MEMBERS)
      throw refuse(
        'TOO_MANY_MEMBERS',
        `At most ${MOST_MEMBERS} members can be asked for at once.`,
        { input: 'memberIds' },
      );
    return memberHomes(context, memberIds);
  }

  @Access(signedIn)
  @Query(() => Adherence, {
    description:
      'How a member keeps to the plan: as a whole, by day, by medicine. FORBIDDEN, ' +
      'REMINDER_NOT_FOUND, DATE_INVALID, RANGE_TOO_LONG, TOO_MANY_EVENTS.',
  })
  async adherence(
    @Ctx() context: RequestContext,
    @Args(() => AdherenceArgs) args: AdherenceArgs,
  ): Promise<Adherence> {
    return adherence(context, args);
  }
}

@Resolver(() => CaredForMember)
export class CaredForHomeResolver {
  @Access(anyone)
  @FieldResolver(() => MemberHome, {
    nullable: true,
    description:
      'What the member sees first; of all members of the page in a constant number of ' +
      'statements. Null with TOO_MANY_EVENTS for a member with more than 5,000 events in the ' +
      'week.',
  })
  async home(
    @Ctx() context: RequestContext,
    @Root() { memberId }: CaredForMember,
  ): Promise<MemberHome | undefined> {
    return context.loader(homesById).load(memberId);
  }
}

@Resolver(() => MemberHome)
export class UnrecognizedResolver {
  @Access(anyone)
  @Rows(2)
  @FieldResolver(() => [MedicineReminder], {
    description:
      'The medicines that do not ring, because their frequency was not understood, the newest ' +
      'first; at most 100. `frequencyDoubt` says what to choose.',
  })
  async unrecognizedMedicines(
    @Ctx() context: RequestContext,
    @Root() { memberId }: MemberHome,
  ): Promise<Reminder[]> {
    const rows = await unrecognizedMedicines(context, memberId);
    return Promise.all(rows.map((row) => showReminder(context, row)));
  }
}
