import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { Access, anyone } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import { Rows } from '../../../core/cost.js';
import { InputArg } from '../../../core/marks.js';
import { Mutation } from '../../../core/root-fields.js';
import { LogDosePayload } from '../dose/dose-payload.types.js';
import { MedicineReminder } from '../reminder/medicine-reminder.types.js';
import { mayEdit } from '../reminder/reminder.access.js';
import { type ReminderRow, remindersById } from '../reminder/reminder.service.js';
import { showReminder } from '../reminder/shown-reminder.service.js';
import { LimitDosesInput } from './limit.inputs.js';
import { doseLimits, limitDoses, warningsOf } from './limit.service.js';
import { DoseLimits, DoseWarning, LimitDosesPayload } from './limit.types.js';

@Resolver(() => MedicineReminder)
export class DoseLimitResolver {
  @Access(anyone)
  @FieldResolver(() => DoseLimits, {
    nullable: true,
    description: 'How often it may be taken, how often it was, and when again.',
  })
  async limits(
    @Ctx() context: RequestContext,
    @Root() { id }: MedicineReminder,
  ): Promise<DoseLimits | undefined> {
    return context.loader(doseLimits).load(id);
  }

  @Access(mayEdit('medicine'))
  @Mutation(() => LimitDosesPayload, {
    description:
      'Sets how often a medicine may be taken as needed. `logDose` warns of what goes against ' +
      'it, and logs it all the same. REMINDER_NOT_FOUND, FORBIDDEN.',
  })
  async limitDoses(
    @Ctx() context: RequestContext,
    @InputArg(LimitDosesInput) input: LimitDosesInput,
  ): Promise<LimitDosesPayload> {
    const reminder = await showReminder(context, await limitDoses(context, input));
    return new LimitDosesPayload(reminder as MedicineReminder);
  }
}

/** What a dose that was logged goes against. */
@Resolver(() => LogDosePayload)
export class LoggedDoseResolver {
  @Access(anyone)
  @Rows(2)
  @FieldResolver(() => [DoseWarning], {
    description: 'What the dose goes against; it is logged all the same. Empty for nothing.',
  })
  async warnings(
    @Ctx() context: RequestContext,
    @Root() { event }: LogDosePayload,
  ): Promise<DoseWarning[]> {
    const row = await context.loader(remindersById).load(event.reminderId);
    return row && event.dose ? warningsOf(context, row as ReminderRow, event.dose) : [];
  }
}
