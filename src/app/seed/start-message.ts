import type { FirstAccount } from './first-account.js';

/** What the start message shows. */
export interface StartMessage {
  readonly baseUrl: string;
  readonly dataDir: string;
  readonly kind: 'embedded' | 'server';
  readonly accounts: readonly FirstAccount[];
  /** Folder of the local outbox, when mails are written there. */
  readonly outbox?: string;
  /** The file for pushes while no provider is configured; undefined with one. */
  readonly pushOutbox: string | undefined;
}

/**
 * Returns the message that the service prints when it is ready: the address of each face, how to
 * sign in, and what to try next.
 */
export function startMessage({
  baseUrl,
  dataDir,
  kind,
  accounts,
  outbox,
  pushOutbox,
}: StartMessage): string {
  const lines = [
    '',
    'The care-management service is ready.',
    '',
    `  GraphQL and playground  ${baseUrl}/graphql`,
    `  REST, edition A         ${baseUrl}/api`,
    `  REST, edition B         ${baseUrl}/v3/api`,
    `  For operators           ${baseUrl}/healthz  /readyz  /metrics`,
    '',
    ...signIn(accounts),
    'Try next:',
    `  curl '${baseUrl}/api/v1/posts?_fields=id,title'`,
    `  curl ${baseUrl}/api/v1/login -d username=${accounts[0]?.username ?? 'admin'} -d password=…`,
    '',
    ...(outbox
      ? [`Mail is not sent but kept as .eml files in ${outbox}; set SMTP_URL to send it.`, '']
      : []),
    ...(kind === 'embedded'
      ? [
          `The embedded database in ${dataDir} is for trying and developing; set DATABASE_URL to run on PostgreSQL.`,
          '',
        ]
      : []),
    ...(pushOutbox
      ? [
          `Push messages are not sent but written to ${pushOutbox}; EXPO_*, FCM_* and VAPID_* configure providers.`,
          '',
        ]
      : []),
  ];
  return `${lines.join('\n')}\n`;
}

function signIn(accounts: readonly FirstAccount[]): string[] {
  const shown = accounts.filter(({ password }) => password !== undefined);
  if (shown.length === 0) return [];
  const rows = shown.map(
    ({ username, role, password }) => `  ${username.padEnd(8)} ${role.padEnd(14)} ${password}`,
  );
  return ['Sign in with one of these. The passwords are random and shown only now:', ...rows, ''];
}
