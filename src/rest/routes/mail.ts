import type { Route } from '../router.js';

/** Password reset and the mail connection. */
export const mail: readonly Route[] = [
  { on: 'GET /mailer/outlook_callback', run: 'OutlookCallback', open: true },
  { on: 'POST /pwreset/v1/reset-password', run: 'RequestPasswordReset', open: true },
  { on: 'POST /pwreset/v1/set-password', run: 'ResetPassword', open: true },
  { on: 'POST /pwreset/v1/validate-code', run: 'CheckPasswordResetCode', open: true },
];
