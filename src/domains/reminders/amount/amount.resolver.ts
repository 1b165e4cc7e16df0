import { Arg, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { Access, anyone } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import { Rows } from '../../../core/cost.js';
import { InputArg } from '../../../core/marks.js';
import { Mutation } from '../../../core/root-fields.js';
import { LanguageTag } from '../../../core/scalars.js';
import { WEEKDAYS } from '../../../core/weekday.js';
import { DoseEvent } from '../calendar/event.types.js';
import { MedicineReminder } from '../reminder/medicine-reminder.types.js';
import { mayEdit } from '../reminder/reminder.access.js';
import { showReminder } from '../reminder/shown-reminder.service.js';
import { SetDoseAmountsInput } from './amount.inputs.js';
import { amountsOf, setDoseAmounts } from './amount.service.js';
import { PlannedAmount, SetDoseAmountsPayload } from './amount.types.js';
import { BEGINNING } from './amounts.js';
import { DoseAmount, IN_WORDS, WHICH_LANGUAGE } from './dose-amount.types.js';
import { sayAmount } from './said-amount.service.js';
import { sayDirection } from './said-direction.service.js';
import { shownAmount } from './shown-amount.service.js';

@Resolver(() => MedicineReminder)
export class DoseAmountResolver {
  @Access(anyone)
  @Rows(10)
  @FieldResolver(() => [PlannedAmount], {
    description: 'How much is taken, by day, weekday and time of day; empty where nobody has said.',
  })
  async amounts(
    @Ctx() context: RequestContext,
    @Root() { row: { id, doseUnit, accountId } }: MedicineReminder,
  ): Promise<PlannedAmount[]> {
    if (doseUnit === null) return [];
    return ((await context.loader(amountsOf).load(id)) ?? []).map(
      ({ startsOn, startsAt, time, amount, upTo, weekdays = [] }) =>
        Object.assign(new PlannedAmount(), {
          amount,
          most: upTo,
          memberId: accountId,
          unit: doseUnit,
          startsOn: startsOn === BEGINNING ? null : startsOn,
          startsAt: startsAt ?? null,
          time,
          weekdays: weekdays.map((day) => WEEKDAYS[day - 1]),
        }),
    );
  }

  @Access(anyone)
  @FieldResolver(() => String, {
    nullable: true,
    description:
      'The directions as they were understood, in words with their amounts: how much, when, how ' +
      'long, and in brackets what else the frequency says, in its own words. An RRULE is shown as ' +
      'it is written. Null where the frequency was not understood.',
  })
  async scheduleText(
    @Ctx() context: RequestContext,
    @Root() reminder: MedicineReminder,
    @Arg('language', () => LanguageTag, { nullable: true, description: WHICH_LANGUAGE })
    language?: string | null,
  ): Promise<string | null> {
    return sayDirection(context, reminder, language);
  }

  @Access(mayEdit('medicine'))
  @Mutation(() => SetDoseAmountsPayload, {
    description:
      'Sets how much of a medicine is taken: at all times, by time of day or weekday, and in steps ' +
      'by date or instant. ' +
      'What was taken before stays as it was. REMINDER_NOT_FOUND, FORBIDDEN, AMOUNTS_INVALID.',
  })
  async setDoseAmounts(
    @Ctx() context: RequestContext,
    @InputArg(SetDoseAmountsInput) input: SetDoseAmountsInput,
  ): Promise<SetDoseAmountsPayload> {
    const reminder = await showReminder(context, await setDoseAmounts(context, input));
    return new SetDoseAmountsPayload(reminder as MedicineReminder);
  }
}

/** How much a dose is, in words. */
@Resolver(() => DoseAmount)
export class AmountTextResolver {
  @Access(anyone)
  @FieldResolver(() => String, { description: `How much, ${IN_WORDS}` })
  async text(
    @Ctx() context: RequestContext,
    @Root() { most: upTo, ...amount }: DoseAmount,
    @Arg('language', () => LanguageTag, { nullable: true, description: WHICH_LANGUAGE })
    language?: string | null,
  ): Promise<string> {
    return sayAmount(context, { ...amount, upTo }, language);
  }
}

/** How much a dose on the calendar is. */
@Resolver(() => DoseEvent)
export class EventAmountResolver {
  @Access(anyone)
  @FieldResolver(() => DoseAmount, {
    nullable: true,
    description: 'How much it is, or was when it was taken; null where nobody has said.',
  })
  async amount(
    @Ctx() context: RequestContext,
    @Root() event: DoseEvent,
  ): Promise<DoseAmount | undefined> {
    return shownAmount(context, event);
  }
}
