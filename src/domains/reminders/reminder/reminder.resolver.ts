import { Args, Ctx, Resolver } from 'type-graphql';
import { Access, signedIn } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import { Rows } from '../../../core/cost.js';
import { type Filter, FilterBy } from '../../../core/filtering.js';
import { IdArg, InputArg } from '../../../core/marks.js';
import { type Order, OrderBy } from '../../../core/ordering.js';
import { Mutation, Query } from '../../../core/root-fields.js';
import { answerSent } from '../dose/sent-answer.service.js';
import { confirmDirections } from './confirmed.service.js';
import { MedicineReminder } from './medicine-reminder.types.js';
import { mayEdit, maySee, maySeeAny } from './reminder.access.js';
import {
  ConfirmDirectionsInput,
  CreateMedicineReminderInput,
  DeleteMedicineReminderInput,
  RemindersArgs,
  UpdateMedicineReminderInput,
} from './reminder.inputs.js';
import { JudgeMedicine } from './reminder.judgement.js';
import { medicineChange, medicineTexts, refuseOpen } from './reminder.texts.js';
import { Reminder } from './reminder.types.js';
import { createMedicineReminder } from './reminder-create.service.js';
import { listReminders, REMINDER_ORDERS, type ReminderPage } from './reminder-list.service.js';
import { MedicineReminderConnection } from './reminder-list.types.js';
import {
  ConfirmDirectionsPayload,
  CreateMedicineReminderPayload,
  DeleteMedicineReminderPayload,
  UpdateMedicineReminderPayload,
} from './reminder-payload.types.js';
import { deleteReminder, updateMedicineReminder } from './reminder-write.service.js';
import { readShown, showReminder } from './shown-reminder.service.js';

/** Root fields of medicine reminders, and of reminders of any kind. */
@Resolver()
export class MedicineReminderResolver {
  @Access(signedIn)
  @Rows(100)
  @Query(() => MedicineReminderConnection, {
    description:
      'Medicine reminders of a member, newest first; 100 unless said otherwise. FORBIDDEN, ' +
      'CURSOR_INVALID, PAGE_SIZES_BOTH.',
  })
  async medicineReminders(
    @Ctx() context: RequestContext,
    @Args(() => RemindersArgs) args: RemindersArgs,
    @OrderBy(REMINDER_ORDERS.medicine) order: Order | null | undefined,
    @FilterBy(REMINDER_ORDERS.medicine) filter: Filter | null | undefined,
  ): Promise<ReminderPage> {
    return listReminders(context, 'medicine', args, order, filter);
  }

  @Access(maySeeAny)
  @Query(() => Reminder, {
    description: 'One reminder, of a medicine or an appointment. REMINDER_NOT_FOUND.',
  })
  async reminder(
    @Ctx() context: RequestContext,
    @IdArg('id', ['MedicineReminder', 'AppointmentReminder'], {
      description: 'Id of the reminder.',
    })
    id: number,
  ): Promise<Reminder> {
    return readShown(context, id);
  }

  @Access(maySee('medicine'))
  @Query(() => MedicineReminder, {
    description: 'One medicine reminder. REMINDER_NOT_FOUND.',
  })
  async medicineReminder(
    @Ctx() context: RequestContext,
    @IdArg('id', 'MedicineReminder', { description: 'Id of the reminder.' }) id: number,
  ): Promise<Reminder> {
    return readShown(context, id);
  }

  @Access(signedIn)
  @JudgeMedicine()
  @Mutation(() => CreateMedicineReminderPayload, {
    description:
      'Makes a medicine reminder. FORBIDDEN, DATE_INVALID, END_BEFORE_START, TOO_MANY_REMINDERS.',
  })
  async createMedicineReminder(
    @Ctx() context: RequestContext,
    @InputArg(CreateMedicineReminderInput) input: CreateMedicineReminderInput,
  ): Promise<CreateMedicineReminderPayload> {
    refuseOpen(input);
    const { memberId: userId, type, status } = input;
    const sent = { ...medicineTexts(input), userId, type };
    const row = await createMedicineReminder(context, sent, answerSent(status));
    const reminder = await showReminder(context, row);
    return new CreateMedicineReminderPayload(reminder as MedicineReminder);
  }

  @Access(mayEdit('medicine'))
  @JudgeMedicine()
  @Mutation(() => UpdateMedicineReminderPayload, {
    description:
      'Changes a medicine reminder. Outcome of it, and what was logged, stays. Amounts that somebody ' +
      'has set for clock times go with their doses to other times; where the new times do not say ' +
      'which dose is which, the amounts are forgotten. REMINDER_NOT_FOUND, FORBIDDEN, CONFLICT, ' +
      'DATE_INVALID, END_BEFORE_START.',
  })
  async updateMedicineReminder(
    @Ctx() context: RequestContext,
    @InputArg(UpdateMedicineReminderInput) input: UpdateMedicineReminderInput,
  ): Promise<UpdateMedicineReminderPayload> {
    const row = await updateMedicineReminder(context, medicineChange(input));
    const reminder = await showReminder(context, row);
    return new UpdateMedicineReminderPayload(reminder as MedicineReminder);
  }

  @Access(mayEdit('medicine'))
  @Mutation(() => ConfirmDirectionsPayload, {
    description:
      'Confirms the directions of a medicine as they are understood, or chooses one of the ' +
      'meanings of a frequency that has several. The frequency stays as it was written, and the ' +
      'same text of the member means this from then on. A medicine that is taken once a week ' +
      'rings more often only after a clinician has confirmed it. REMINDER_NOT_FOUND, FORBIDDEN, ' +
      'CONFLICT, MEANING_INVALID.',
  })
  async confirmDirections(
    @Ctx() context: RequestContext,
    @InputArg(ConfirmDirectionsInput) input: ConfirmDirectionsInput,
  ): Promise<ConfirmDirectionsPayload> {
    const reminder = await showReminder(context, await confirmDirections(context, input));
    return new ConfirmDirectionsPayload(reminder as MedicineReminder);
  }

  @Access(mayEdit('medicine'))
  @Mutation(() => DeleteMedicineReminderPayload, {
    description: 'Deletes a medicine reminder. REMINDER_NOT_FOUND, FORBIDDEN.',
  })
  async deleteMedicineReminder(
    @Ctx() context: RequestContext,
    @InputArg(DeleteMedicineReminderInput) { id }: DeleteMedicineReminderInput,
  ): Promise<DeleteMedicineReminderPayload> {
    const reminder = await showReminder(context, await deleteReminder(context, id));
    return new DeleteMedicineReminderPayload(reminder as MedicineReminder);
  }
}
