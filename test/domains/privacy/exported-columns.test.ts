import { randomUUID } from 'node:crypto';
import { Prisma } from '../../../src/generated/prisma/client.js';
import { useService } from '../../support/harness.js';

/** What is stored of a member, where the export has it, and the columns that it leaves out, with the reason. */
interface Exported {
  /** Makes a row of the member. */
  readonly row: string;
  readonly columns: Readonly<Record<string, string>>;
  readonly without: Readonly<Record<string, string>>;
}

const OWN = 'the export is of this account';
const SECRET = 'a secret';
const UUID = randomUUID();
const REMINDER = `r AS (INSERT INTO reminder (kind, account_id, creator_id, scheduled, recognized,
  follows, zone, zone_source, start_local, times, times_source, created_at, updated_at)
  VALUES ('medicine', $1, $1, true, true, true, 'UTC', 's', 's', '{}', 's', now(), now())
  RETURNING id)`;
const NOTIFICATION = `n AS (INSERT INTO notification (account_id, kind, title, body, message_id,
  alert_ids, state, created_at, send_at)
  VALUES ($1, 'test', 'T', 'B', '${UUID}', '{}', 'queued', now(), now()) RETURNING id)`;
const DEVICE = `d AS (INSERT INTO device (account_id, kind, token, token_hash, created_at, last_seen_at)
  VALUES ($1, 'expo', 't', 'h', now(), now()) RETURNING id)`;
const SEALED = 'what proves the event, not what it is about';
const SENDING = 'of the sending, not of what is sent';

const TABLES: Readonly<Record<string, Exported>> = {
  careSettings: {
    row: `INSERT INTO care_setting (account_id, usual_times) VALUES ($1, '{}')`,
    columns: Prisma.CareSettingScalarFieldEnum,
    without: { accountId: OWN, feedHash: SECRET },
  },
  savedReports: {
    row: `INSERT INTO saved_report (account_id, name, query, variables, is_shared, modified_at)
      VALUES ($1, 'N', '{ x }', '{}', false, now())`,
    columns: Prisma.SavedReportScalarFieldEnum,
    without: { accountId: OWN },
  },
  sessions: {
    row: `INSERT INTO session (id, account_id, kind, counter, user_agent, created_at, used_at)
      VALUES ('${UUID}', $1, 'login', 0, 'A', now(), now())`,
    columns: Prisma.SessionScalarFieldEnum,
    without: {
      accountId: OWN,
      counter: 'of the refresh token',
      pairUsedAt: 'of the refresh token',
    },
  },
  applicationPasswords: {
    row: `INSERT INTO application_password (id, account_id, name, hash) VALUES ('${UUID}', $1, 'N', 'h')`,
    columns: Prisma.ApplicationPasswordScalarFieldEnum,
    without: { accountId: OWN, hash: SECRET },
  },
  identities: {
    row: `INSERT INTO identity (account_id, issuer, subject, created_at, used_at)
      VALUES ($1, 'https://id.example', 's', now(), now())`,
    columns: Prisma.IdentityScalarFieldEnum,
    without: { accountId: OWN, id: 'a number that is shown nowhere' },
  },
  devices: {
    row: `INSERT INTO device (account_id, kind, token, token_hash, created_at, last_seen_at)
      VALUES ($1, 'expo', 't', 'h', now(), now())`,
    columns: Prisma.DeviceScalarFieldEnum,
    without: { accountId: OWN, token: SECRET, tokenHash: SECRET },
  },
  deliveries: {
    row: `WITH ${NOTIFICATION}, ${DEVICE}
      INSERT INTO delivery (notification_id, device_id, kind, state, due_at, expires_at, next_at)
      SELECT n.id, d.id, 'expo', 'sent', now(), now(), now() FROM n, d`,
    columns: Prisma.DeliveryScalarFieldEnum,
    without: { claim: SENDING, ticket: SENDING, nextAt: SENDING, news: SENDING, lost: SENDING },
  },
  alerts: {
    row: `WITH ${REMINDER}
      INSERT INTO reminder_alert (reminder_id, account_id, cause, planned_at, due_at, local_time)
      SELECT id, $1, 'due', now(), now(), 't' FROM r`,
    columns: Prisma.ReminderAlertScalarFieldEnum,
    without: { accountId: OWN, retryAt: SENDING },
  },
  audit: {
    row: `INSERT INTO audit_event (uid, at, subject_id, action, key_id, mac)
      VALUES ('${UUID}', now(), $1, 'reminder.read', 'k', 'm')`,
    columns: Prisma.AuditEventScalarFieldEnum,
    without: { subjectId: OWN, uid: SEALED, keyId: SEALED, mac: SEALED, seal: SEALED },
  },
  mails: {
    row: `INSERT INTO outgoing_mail (id, "to", to_key, from_id, template, language, values, created_at)
      VALUES ('${UUID}', 'a@example.com', 'a@example.com', $1, 'care_invitation', 'en', '{}', now())`,
    columns: Prisma.OutgoingMailScalarFieldEnum,
    without: {
      id: SENDING,
      toKey: 'the same as `to`',
      fromId: OWN,
      values: SECRET,
      dueAt: SENDING,
      attempts: SENDING,
    },
  },
  notificationPreference: {
    row: 'INSERT INTO notification_preference (account_id) VALUES ($1)',
    columns: Prisma.NotificationPreferenceScalarFieldEnum,
    without: {},
  },
};

/** Where in the export the rows are that a column of the database finds by the account. */
const EXPORTED: Readonly<Record<string, string>> = {
  'account.email_key': 'account',
  'account.id': 'account',
  'account.username_key': 'account',
  'application_password.account_id': 'applicationPasswords',
  'audit_event.subject_id': 'audit',
  'break_glass.clinician_id': 'care.opened',
  'break_glass.member_id': 'care.openedBy',
  'care_assignment.clinician_id': 'care.members',
  'care_assignment.member_id': 'care.clinicians',
  'care_invitation.member_id': 'care.invitations',
  'care_invitation.to_key': 'care.invitationsToMe',
  'care_relation.carer_id': 'care.caresFor',
  'care_relation.member_id': 'care.carers',
  'care_setting.account_id': 'careSettings',
  'content_change.by_id': 'authored.changes',
  'content_editor.account_id': 'authored.editing',
  'content_item.author_id': 'authored.items',
  'device.account_id': 'devices',
  'dose.account_id': 'doses',
  'form_submission.account_id': 'formSubmissions',
  'form_submission.email_hash': 'formSubmissions',
  'identity.account_id': 'identities',
  'media.author_id': 'authored.media',
  'model_item.author_id': 'authored.modelItems',
  'model_version.account_id': 'authored.modelVersions',
  'notification.about_id': 'notices',
  'notification.account_id': 'notifications',
  'notification_preference.account_id': 'notificationPreference',
  'outgoing_mail.from_id': 'mails',
  'outgoing_mail.to_key': 'mails',
  'policy_agreement.account_id': 'policies',
  'poll_agreement.account_id': 'polls',
  'poll_submission.account_id': 'polls',
  'reminder.account_id': 'reminders',
  'reminder_alert.account_id': 'alerts',
  'report_embed.account_id': 'reportEmbeds',
  'report_mailing_recipient.account_id': 'reportMails',
  'report_unsubscription.account_id': 'reportMails',
  'revision.author_id': 'authored.revisions',
  'saved_report.account_id': 'savedReports',
  'session.account_id': 'sessions',
  'upload.account_id': 'authored.uploads',
};

const THEIRS = 'in the export of whom the row is about or for';
const DERIVED = 'made from rows that are exported';
const COUNT = 'a counter';

/** Columns that name an account, of which the export has nothing. */
const NOT_EXPORTED: Readonly<Record<string, string>> = {
  'account_key.account_id': SECRET,
  'audit_event.actor_id': THEIRS,
  'content_change.author_id':
    'what others did to an item of the account; `authored.items` has that',
  'dose.logged_by_id': THEIRS,
  'dose_fact.account_id': DERIVED,
  'familiar_address.account_id': 'a keyed hash of an address that signed in',
  'idempotent_change.about': THEIRS,
  'idempotent_change.account_id': 'a hash, and what the account deleted, for a day',
  'item_search.author_id': DERIVED,
  'mail_connection.connected_by_id': 'of the site',
  'mail_connection_attempt.account_id': SECRET,
  'notification.created_by': THEIRS,
  'password_reset.account_id': SECRET,
  'reminder.creator_id': THEIRS,
  'reminder_alert.told': THEIRS,
  'reminder_pause.made_by_id': THEIRS,
  'report_building.made_by': 'a name of software',
  'report_cell.accounts': COUNT,
  'report_change.account_id': DERIVED,
  'report_due.account_id': DERIVED,
  'report_kept.account_id': DERIVED,
  'report_member.account_id': DERIVED,
  'report_month.logged_by': 'a name of software',
  'report_spend.account_id': COUNT,
  'sign_in_code.email_key': SECRET,
};

describe('The export of one’s own data', () => {
  const service = useService();
  const exported = async () => {
    const query = 'mutation { exportMyData { export { document } } }';
    const { body } = await service().graphql(query, {}, { as: 'subscriber' });
    return body.data.exportMyData.export.document;
  };

  it('has the rows of each column that names an account, but for those with a reason', async () => {
    const columns = await service().database.query<{ name: string }>(
      `SELECT c.conrelid::regclass || '.' || a.attname AS name FROM pg_constraint c
        JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = ANY(c.conkey)
        WHERE c.contype = 'f' AND c.confrelid = 'account'::regclass
      UNION SELECT table_name || '.' || column_name FROM information_schema.columns
        WHERE table_schema = 'public' AND (table_name = 'account' AND column_name = 'id'
          OR column_name ~ '(account|member|carer|clinician|author|creator|owner|user|about|from|actor|subject)_id$'
          OR column_name ~ '_by(_id)?$|^(to|email|username)_key$|^email_hash$|^(told|about|accounts|members|sender)$')
      ORDER BY name`,
    );
    const named = [...Object.keys(EXPORTED), ...Object.keys(NOT_EXPORTED)].sort();
    expect(columns.map(({ name }) => name).sort()).toStrictEqual(named);
    await service().account('subscriber');
    const document = await exported();
    for (const path of Object.values(EXPORTED))
      expect(document, path).toHaveProperty(path.split('.'));
  });

  it.each(Object.entries(TABLES))(
    'has every column of what is stored, but for those with a reason: %s',
    async (kind, { row, columns, without }) => {
      const { id } = await service().account('subscriber');
      await service().database.query('DELETE FROM device');
      await service().database.query(row, [id]);
      const shown = Object.keys([(await exported())[kind]].flat().at(-1));
      const stored = Object.keys(columns).filter((name) => !(name in without));
      expect(stored.filter((name) => !shown.includes(name))).toStrictEqual([]);
      expect(Object.keys(without).filter((name) => shown.includes(name))).toStrictEqual([]);
    },
  );

  it('has the reason for opening a record, and what waits to be sent, for whom they are about alone', async () => {
    const { id: memberId } = await service().account('subscriber');
    const { id: clinicianId } = await service().account('clinician');
    const at = new Date();
    const opening = { memberId, clinicianId, reason: 'Fainted', createdAt: at, endsAt: at };
    await service().database.prisma.breakGlass.create({ data: opening });
    const planned = { accountId: clinicianId, kind: 'message', title: 'Not yet', body: 'Not yet' };
    await service().database.prisma.notification.create({
      data: { ...planned, messageId: UUID, state: 'planned', createdAt: at, sendAt: at },
    });
    const query = 'mutation { exportMyData { export { document } } }';
    const { body } = await service().graphql(query, {}, { as: 'clinician' });
    const theirs = JSON.stringify(body.data.exportMyData.export.document);
    expect([theirs.includes('Fainted'), theirs.includes('Not yet')]).toStrictEqual([false, false]);
    expect((await exported()).care.openedBy[0].reason).toBe('Fainted');
  });

  it('has the texts of autosaves, and invitations to the proven address without their member', async () => {
    const { prisma } = service().database;
    const { id } = await service().account('author');
    const { id: memberId } = await service().account('subscriber');
    const post = await service().post({}, 'author');
    const path = `/v1/posts/${post.id}/autosaves`;
    await service().rest('POST', path, { as: 'author', body: { content: 'Unsaved' } });
    const createdAt = new Date();
    const invitation = { memberId, to: 'A@example.com', toKey: 'a@example.com', right: 'see' };
    await prisma.careInvitation.create({
      data: { ...invitation, codeHash: 'h', createdAt, expiresAt: createdAt },
    });
    const invited = async (emailProvenAt: Date | null) => {
      await prisma.account.update({
        where: { id },
        data: { email: 'a@example.com', emailKey: 'a@example.com', emailProvenAt },
      });
      const query = 'mutation { exportMyData { export { document } } }';
      return (await service().graphql(query, {}, { as: 'author' })).body.data.exportMyData.export
        .document;
    };
    const { authored, care } = await invited(new Date());
    expect(authored.autosaves[0].content).toContain('Unsaved');
    expect([care.invitationsToMe[0].to, 'memberId' in care.invitationsToMe[0]]).toStrictEqual([
      'A@example.com',
      false,
    ]);
    expect((await invited(null)).care.invitationsToMe).toStrictEqual([]);
  });
});
