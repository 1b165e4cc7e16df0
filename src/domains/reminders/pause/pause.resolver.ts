import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { Access, anyone } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import { InputArg } from '../../../core/marks.js';
import { Mutation } from '../../../core/root-fields.js';
import { MedicineReminder } from '../reminder/medicine-reminder.types.js';
import { mayEdit } from '../reminder/reminder.access.js';
import { showReminder } from '../reminder/shown-reminder.service.js';
import { PauseMedicineReminderInput, ResumeMedicineReminderInput } from './pause.inputs.js';
import { nextPauses, pauseMedicine, resumeMedicine } from './pause.service.js';
import {
  MedicinePause,
  PauseMedicineReminderPayload,
  ResumeMedicineReminderPayload,
} from './pause.types.js';

@Resolver(() => MedicineReminder)
export class PauseResolver {
  @Access(anyone)
  @FieldResolver(() => MedicinePause, {
    nullable: true,
    description: 'The pause in which it is, or the next one; null for none.',
  })
  async pause(
    @Ctx() context: RequestContext,
    @Root() { id }: MedicineReminder,
  ): Promise<MedicinePause | undefined> {
    return context.loader(nextPauses).load(id);
  }

  @Access(mayEdit('medicine'))
  @Mutation(() => PauseMedicineReminderPayload, {
    description:
      'Pauses a medicine until a day, or until somebody resumes it. What would come in the ' +
      'meantime is neither shown nor missed; its last day stays. REMINDER_NOT_FOUND, FORBIDDEN, ' +
      'CONFLICT, PAUSE_INVALID, PAUSE_OVERLAPS, UNSCHEDULED.',
  })
  async pauseMedicineReminder(
    @Ctx() context: RequestContext,
    @InputArg(PauseMedicineReminderInput) input: PauseMedicineReminderInput,
  ): Promise<PauseMedicineReminderPayload> {
    const reminder = await showReminder(context, await pauseMedicine(context, input));
    return new PauseMedicineReminderPayload(reminder as MedicineReminder);
  }

  @Access(mayEdit('medicine'))
  @Mutation(() => ResumeMedicineReminderPayload, {
    description:
      'Ends the pause in which a medicine is, from now on, or takes back the next one. ' +
      'REMINDER_NOT_FOUND, FORBIDDEN, CONFLICT, NOT_PAUSED.',
  })
  async resumeMedicineReminder(
    @Ctx() context: RequestContext,
    @InputArg(ResumeMedicineReminderInput) input: ResumeMedicineReminderInput,
  ): Promise<ResumeMedicineReminderPayload> {
    const reminder = await showReminder(context, await resumeMedicine(context, input));
    return new ResumeMedicineReminderPayload(reminder as MedicineReminder);
  }
}
