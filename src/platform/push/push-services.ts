/** Hosts of the push services of browsers, and the domains that some have their hosts in. */
const HOSTS = [
  'fcm.googleapis.com', // Chrome, Edge on Android, Opera, Samsung Internet
  'push.services.mozilla.com', // Firefox
  'push.apple.com', // Safari
  'notify.windows.com', // Edge on Windows
];

/** Returns whether a host, in lower case, is of a browser's own push service: users cannot make it hang. */
export const isPushService = (host: string) =>
  HOSTS.some((known) => host === known || host.endsWith(`.${known}`));
