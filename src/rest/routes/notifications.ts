import type { Route } from '../router.js';

export const notifications: readonly Route[] = [
  { on: 'POST /v1/notify', run: 'Notify', status: 202 },
  { on: 'POST /v1/push_notification', run: 'PushNotification', edition: 'B', status: 202 },
  { on: 'DELETE /v1/push_notification', run: 'DeletePushNotifications', edition: 'B' },
  { on: 'DELETE /v1/push_token/{token}', run: 'RemovePushToken', open: true },
  { on: 'POST /v1/test_push', run: 'TestPush', edition: 'B', status: 202 },
];
