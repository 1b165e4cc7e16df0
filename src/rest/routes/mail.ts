import type { Route } from '../router.js';

/** Password reset and the mail connection. */
export const mail: readonly Route[] = [
  { on: 'GET /mailer/outlook_callback', run: 'OutlookCallback' },
  { on: 'POST /pwreset/v1/reset-password', run: 'RequestPasswordReset' },
  { on: 'POST /pwreset/v1/set-password', run: 'ResetPassword' },
  { on: 'POST /pwreset/v1/validate-code', run: 'CheckPasswordResetCode' },
];
