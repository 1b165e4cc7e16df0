import { randomUUID } from 'node:crypto';
import type { RequestContext } from '../../../core/context.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { inLanguage, type Spoken } from '../../../platform/language.js';
import type { ChannelKind } from '../../../platform/push/push-transport.js';
import { queueMail } from '../../mail/mail.service.js';
import { queueMessages } from '../delivery/delivery.service.js';

const { sql } = Prisma;

/** The notice to a member who lost a channel; neither names its address. */
const LOST: Readonly<Record<ChannelKind, Spoken<{ title: string; body: string }>>> = {
  sms: {
    en: {
      title: 'No more text messages',
      body: 'Your number does not take our text messages any more. They are switched off.',
    },
    de: {
      title: 'Keine SMS mehr',
      body: 'Ihre Nummer nimmt unsere SMS nicht mehr an. Sie sind abgeschaltet.',
    },
  },
  chat: {
    en: {
      title: 'No more chat messages',
      body: 'Your chat does not take our messages any more. They are switched off.',
    },
    de: {
      title: 'Keine Chatnachrichten mehr',
      body: 'Ihr Chat nimmt unsere Nachrichten nicht mehr an. Sie sind abgeschaltet.',
    },
  },
};

/**
 * Tells accounts, on what is left of their devices and channels and by mail, that a channel is
 * gone. Call it inside the transaction that marked the channels as dead.
 */
export async function tellOfLostChannels(
  context: RequestContext,
  lost: readonly { readonly accountId: number; readonly kind: ChannelKind }[],
): Promise<void> {
  if (lost.length === 0) return;
  const owners = await context.rows<Owner>(sql`
    SELECT a.id, a.email, a.name, l.code AS language FROM account a
      JOIN language l ON l.id = a.language_id
    WHERE a.id = ANY(${lost.map(({ accountId }) => accountId)}::int[])`);
  const byId = new Map(owners.map((owner) => [owner.id, owner]));
  await queueMessages(
    context,
    { kind: 'channel_lost' },
    lost.map(({ accountId, kind }) => ({
      accountId,
      ...inLanguage(LOST[kind], byId.get(accountId)?.language ?? ''),
      messageId: randomUUID(),
      sendAt: context.now(),
    })),
  );
  for (const { email, name, language } of owners)
    if (email)
      await queueMail(context, { to: email, template: 'channel_lost', language, values: { name } });
}

interface Owner {
  readonly id: number;
  readonly email: string | null;
  readonly name: string;
  readonly language: string;
}
