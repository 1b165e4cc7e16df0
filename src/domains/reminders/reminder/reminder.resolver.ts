import { Arg, Args, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { Access, signedIn } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import { Rows } from '../../../core/cost.js';
import { mayEdit, maySee } from './reminder.access.js';
import {
  CreateMedicineReminderInput,
  DeleteReminderInput,
  ReminderArgs,
  RemindersArgs,
  UpdateMedicineReminderInput,
} from './reminder.inputs.js';
import { JudgeMedicine } from './reminder.judgement.js';
import { pendingPlansOf, type ReminderRow, readReminder } from './reminder.service.js';
import { DeletedMedicineReminder, MedicineReminder } from './reminder.types.js';
import { cursorOf, listReminders } from './reminder-list.service.js';
import { MedicineReminderConnection } from './reminder-page.types.js';
import {
  createMedicineReminder,
  deleteReminder,
  updateMedicineReminder,
} from './reminder-write.service.js';

const shown = async (context: RequestContext, row: ReminderRow) =>
  new MedicineReminder(row, context.now().getTime(), await pendingPlansOf(context, row));

@Resolver()
export class MedicineReminderResolver {
  @Access(signedIn)
  @Rows(100)
  @Query(() => MedicineReminderConnection, {
    description:
      'Medicine reminders of a member, newest first. FORBIDDEN, CURSOR_INVALID, PAGE_OUT_OF_RANGE.',
  })
  async medicineReminders(
    @Ctx() context: RequestContext,
    @Args(() => RemindersArgs) args: RemindersArgs,
  ): Promise<MedicineReminderConnection> {
    return connect(
      new MedicineReminderConnection(),
      await listReminders(context, 'medicine', args),
      (row) => shown(context, row),
    );
  }

  @Access(maySee('medicine'))
  @Query(() => MedicineReminder, {
    nullable: true,
    description: 'One medicine reminder. REMINDER_NOT_FOUND.',
  })
  async medicineReminder(
    @Ctx() context: RequestContext,
    @Args(() => ReminderArgs) { id }: ReminderArgs,
  ): Promise<MedicineReminder> {
    return shown(context, await readReminder(context, id));
  }

  @Access(signedIn)
  @JudgeMedicine()
  @Mutation(() => MedicineReminder, {
    description:
      'Makes a medicine reminder. The same fields again within 24 hours, `createdDate` among ' +
      'them, are the same reminder. FORBIDDEN, DATE_INVALID, END_BEFORE_START, ' +
      'TOO_MANY_REMINDERS.',
  })
  async createMedicineReminder(
    @Ctx() context: RequestContext,
    @Arg('input', () => CreateMedicineReminderInput, { description: 'The reminder to make.' })
    input: CreateMedicineReminderInput,
  ): Promise<MedicineReminder> {
    return shown(context, await createMedicineReminder(context, input));
  }

  @Access(mayEdit('medicine'))
  @JudgeMedicine()
  @Mutation(() => MedicineReminder, {
    description:
      'Changes a medicine reminder. What came of it, and what was logged, stays. ' +
      'REMINDER_NOT_FOUND, FORBIDDEN, CONFLICT, DATE_INVALID, END_BEFORE_START.',
  })
  async updateMedicineReminder(
    @Ctx() context: RequestContext,
    @Arg('input', () => UpdateMedicineReminderInput, {
      description: 'What to change of which reminder.',
    })
    input: UpdateMedicineReminderInput,
  ): Promise<MedicineReminder> {
    return shown(context, await updateMedicineReminder(context, input));
  }

  @Access(mayEdit('medicine'))
  @Mutation(() => DeletedMedicineReminder, {
    description: 'Deletes a medicine reminder. REMINDER_NOT_FOUND, FORBIDDEN.',
  })
  async deleteMedicineReminder(
    @Ctx() context: RequestContext,
    @Arg('input', () => DeleteReminderInput, { description: 'Which reminder.' }) {
      id,
    }: DeleteReminderInput,
  ): Promise<DeletedMedicineReminder> {
    const previous = await shown(context, await deleteReminder(context, id));
    return Object.assign(new DeletedMedicineReminder(), { deleted: true, previous });
  }
}

/** A page of reminders as a connection. */
export async function connect<T extends { id: number }, C extends object>(
  connection: C,
  { rows, version, totalCount, pageSize, hasNextPage }: Awaited<ReturnType<typeof listReminders>>,
  show: (row: ReminderRow) => Promise<T>,
): Promise<C> {
  const nodes = await Promise.all(rows.map(show));
  const edges = nodes.map((node) => ({ node, cursor: cursorOf(node) }));
  const pageInfo = { hasNextPage, endCursor: edges.at(-1)?.cursor ?? null };
  return Object.assign(connection, { version, nodes, edges, totalCount, pageSize, pageInfo });
}
