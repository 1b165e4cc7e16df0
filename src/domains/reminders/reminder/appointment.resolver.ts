import { Arg, Args, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { Access, signedIn } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import { Rows } from '../../../core/cost.js';
import { mayEdit, maySee } from './reminder.access.js';
import {
  CreateAppointmentReminderInput,
  DeleteReminderInput,
  ReminderArgs,
  RemindersArgs,
  UpdateAppointmentReminderInput,
} from './reminder.inputs.js';
import { JudgeAppointment } from './reminder.judgement.js';
import { connect } from './reminder.resolver.js';
import { pendingPlansOf, type ReminderRow, readReminder } from './reminder.service.js';
import { AppointmentReminder, DeletedAppointmentReminder } from './reminder.types.js';
import { listReminders } from './reminder-list.service.js';
import { AppointmentReminderConnection } from './reminder-page.types.js';
import {
  createAppointmentReminder,
  deleteReminder,
  updateAppointmentReminder,
} from './reminder-write.service.js';

const shown = async (context: RequestContext, row: ReminderRow) =>
  new AppointmentReminder(row, context.now().getTime(), await pendingPlansOf(context, row));

@Resolver()
export class AppointmentReminderResolver {
  @Access(signedIn)
  @Rows(100)
  @Query(() => AppointmentReminderConnection, {
    description:
      'Appointment reminders of a member, newest first. FORBIDDEN, CURSOR_INVALID, ' +
      'PAGE_OUT_OF_RANGE.',
  })
  async appointmentReminders(
    @Ctx() context: RequestContext,
    @Args(() => RemindersArgs) args: RemindersArgs,
  ): Promise<AppointmentReminderConnection> {
    return connect(
      new AppointmentReminderConnection(),
      await listReminders(context, 'appointment', args),
      (row) => shown(context, row),
    );
  }

  @Access(maySee('appointment'))
  @Query(() => AppointmentReminder, {
    nullable: true,
    description: 'One appointment reminder. REMINDER_NOT_FOUND.',
  })
  async appointmentReminder(
    @Ctx() context: RequestContext,
    @Args(() => ReminderArgs) { id }: ReminderArgs,
  ): Promise<AppointmentReminder> {
    return shown(context, await readReminder(context, id));
  }

  @Access(signedIn)
  @JudgeAppointment()
  @Mutation(() => AppointmentReminder, {
    description:
      'Makes an appointment reminder. FORBIDDEN, DATE_INVALID, REMIND_BEFORE_INVALID, ' +
      'TOO_MANY_REMINDERS.',
  })
  async createAppointmentReminder(
    @Ctx() context: RequestContext,
    @Arg('input', () => CreateAppointmentReminderInput, { description: 'The reminder to make.' })
    input: CreateAppointmentReminderInput,
  ): Promise<AppointmentReminder> {
    return shown(context, await createAppointmentReminder(context, input));
  }

  @Access(mayEdit('appointment'))
  @JudgeAppointment()
  @Mutation(() => AppointmentReminder, {
    description:
      'Changes an appointment reminder. REMINDER_NOT_FOUND, FORBIDDEN, CONFLICT, DATE_INVALID, ' +
      'REMIND_BEFORE_INVALID.',
  })
  async updateAppointmentReminder(
    @Ctx() context: RequestContext,
    @Arg('input', () => UpdateAppointmentReminderInput, {
      description: 'What to change of which reminder.',
    })
    input: UpdateAppointmentReminderInput,
  ): Promise<AppointmentReminder> {
    return shown(context, await updateAppointmentReminder(context, input));
  }

  @Access(mayEdit('appointment'))
  @Mutation(() => DeletedAppointmentReminder, {
    description: 'Deletes an appointment reminder. REMINDER_NOT_FOUND, FORBIDDEN.',
  })
  async deleteAppointmentReminder(
    @Ctx() context: RequestContext,
    @Arg('input', () => DeleteReminderInput, { description: 'Which reminder.' }) {
      id,
    }: DeleteReminderInput,
  ): Promise<DeletedAppointmentReminder> {
    const previous = await shown(context, await deleteReminder(context, id));
    return Object.assign(new DeletedAppointmentReminder(), { deleted: true, previous });
  }
}
