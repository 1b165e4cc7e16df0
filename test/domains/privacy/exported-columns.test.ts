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
  notificationPreference: {
    row: 'INSERT INTO notification_preference (account_id) VALUES ($1)',
    columns: Prisma.NotificationPreferenceScalarFieldEnum,
    without: {},
  },
};

describe('The export of one’s own data', () => {
  const service = useService();

  it.each(Object.entries(TABLES))(
    'has every column of what is stored, but for those with a reason: %s',
    async (kind, { row, columns, without }) => {
      const { id } = await service().account('subscriber');
      await service().database.query('DELETE FROM device');
      await service().database.query(row, [id]);
      const { body } = await service().graphql(
        'mutation { exportMyData { export { document } } }',
        {},
        { as: 'subscriber' },
      );
      const exported = body.data.exportMyData.export.document[kind];
      const shown = Object.keys([exported].flat().at(-1));
      const stored = Object.keys(columns).filter((name) => !(name in without));
      expect(stored.filter((name) => !shown.includes(name))).toStrictEqual([]);
      expect(Object.keys(without).filter((name) => shown.includes(name))).toStrictEqual([]);
    },
  );
});
