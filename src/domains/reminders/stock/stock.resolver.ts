import { Arg, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { Access, anyone } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import { InputArg } from '../../../core/marks.js';
import { Mutation } from '../../../core/root-fields.js';
import { LanguageTag, LocalDate } from '../../../core/scalars.js';
import { IN_WORDS, WHICH_LANGUAGE } from '../amount/dose-amount.types.js';
import { sayAmount } from '../amount/said-amount.service.js';
import { MedicineReminder } from '../reminder/medicine-reminder.types.js';
import { mayEdit } from '../reminder/reminder.access.js';
import { remindersById } from '../reminder/reminder.service.js';
import { showReminder } from '../reminder/shown-reminder.service.js';
import { StockOutlook } from './outlook.js';
import { RefillMedicineStockInput, SetMedicineStockInput } from './stock.inputs.js';
import {
  refillMedicineStock,
  setMedicineStock,
  stockOutlooks,
  stocksOf,
  supplyEndOf,
} from './stock.service.js';
import {
  MedicinePack,
  MedicineStock,
  RefillMedicineStockPayload,
  SetMedicineStockPayload,
  SupplyEnd,
} from './stock.types.js';

@Resolver(() => MedicineReminder)
export class StockResolver {
  @Access(anyone)
  @FieldResolver(() => MedicineStock, {
    nullable: true,
    description: 'How much of it is at hand; null where nobody has said.',
  })
  async stock(
    @Ctx() context: RequestContext,
    @Root() { id }: MedicineReminder,
  ): Promise<MedicineStock | undefined> {
    return context.loader(stocksOf).load(id);
  }

  @Access(anyone)
  @FieldResolver(() => SupplyEnd, {
    nullable: true,
    description:
      'Of directions that end when the supply is finished, such as "until finished" without a ' +
      'length: how far that is. Null of all others.',
  })
  async supplyEnd(
    @Ctx() context: RequestContext,
    @Root() { row }: MedicineReminder,
  ): Promise<SupplyEnd | null> {
    return supplyEndOf(context, row);
  }

  @Access(mayEdit('medicine'))
  @Mutation(() => SetMedicineStockPayload, {
    description:
      'Says how much of a medicine is at hand, when the member is notified that it runs out, and ' +
      'which packs there are. What is taken until finished ends, or goes on, by it. ' +
      'REMINDER_NOT_FOUND, FORBIDDEN, STOCK_INVALID, STOCK_UNKNOWN.',
  })
  async setMedicineStock(
    @Ctx() context: RequestContext,
    @InputArg(SetMedicineStockInput) input: SetMedicineStockInput,
  ): Promise<SetMedicineStockPayload> {
    const reminder = await showReminder(context, await setMedicineStock(context, input));
    return new SetMedicineStockPayload(reminder as MedicineReminder);
  }

  @Access(mayEdit('medicine'))
  @Mutation(() => RefillMedicineStockPayload, {
    description:
      'Adds to what is at hand of a medicine. REMINDER_NOT_FOUND, FORBIDDEN, STOCK_INVALID, ' +
      'STOCK_UNKNOWN where nobody has said how much there was.',
  })
  async refillMedicineStock(
    @Ctx() context: RequestContext,
    @InputArg(RefillMedicineStockInput) input: RefillMedicineStockInput,
  ): Promise<RefillMedicineStockPayload> {
    const reminder = await showReminder(context, await refillMedicineStock(context, input));
    return new RefillMedicineStockPayload(reminder as MedicineReminder);
  }
}

/** How much of a pack is left, in words. */
@Resolver(() => MedicinePack)
export class PackTextResolver {
  @Access(anyone)
  @FieldResolver(() => String, { description: `How much of it is left, ${IN_WORDS}` })
  async text(
    @Ctx() context: RequestContext,
    @Root() pack: MedicinePack,
    @Arg('language', () => LanguageTag, { nullable: true, description: WHICH_LANGUAGE })
    language?: string | null,
  ): Promise<string> {
    return sayStock(context, pack, language);
  }
}

/** How much is at hand, in words. */
@Resolver(() => MedicineStock)
export class StockTextResolver {
  @Access(anyone)
  @FieldResolver(() => String, { description: `How much is at hand, ${IN_WORDS}` })
  async text(
    @Ctx() context: RequestContext,
    @Root() stock: MedicineStock,
    @Arg('language', () => LanguageTag, { nullable: true, description: WHICH_LANGUAGE })
    language?: string | null,
  ): Promise<string> {
    return sayStock(context, stock, language);
  }
}

async function sayStock(
  context: RequestContext,
  { reminderId, atHand: amount, unit }: Pick<MedicineStock, 'reminderId' | 'atHand' | 'unit'>,
  language?: string | null,
): Promise<string> {
  const row = await context.loader(remindersById).load(reminderId);
  return sayAmount(context, { amount, unit, memberId: row?.accountId ?? 0 }, language);
}

/** For how long a stock lasts: expanded only where it is asked for. */
@Resolver(() => MedicineStock)
export class StockOutlookResolver {
  @Access(anyone)
  @FieldResolver(() => StockOutlook, {
    description: 'For how long it lasts, if each dose is taken from now on.',
  })
  async outlook(
    @Ctx() context: RequestContext,
    @Root() { reminderId }: MedicineStock,
  ): Promise<StockOutlook> {
    const found = await context.loader(stockOutlooks).load(reminderId);
    return found?.outlook ?? StockOutlook.UNKNOWN;
  }

  @Access(anyone)
  @FieldResolver(() => LocalDate, {
    nullable: true,
    description:
      'The day, in `timeZone` of the medicine, of the first dose that it does not cover, if each ' +
      'dose is taken from now on: pauses and the end of the medicine are counted, and a pack ' +
      'covers no dose after its `expiresOn`. Null unless `outlook` is RUNS_OUT.',
  })
  async runsOutOn(
    @Ctx() context: RequestContext,
    @Root() { reminderId }: MedicineStock,
  ): Promise<string | null> {
    return (await context.loader(stockOutlooks).load(reminderId))?.runsOutOn ?? null;
  }
}
