import { type Capability, capabilitiesOf } from './capabilities.js';
import { Role } from './roles.js';

/** The account behind a request, as it was when the request came; anonymous without one. */
export class Viewer {
  readonly capabilities: ReadonlySet<Capability>;

  constructor(
    /** The account's id; 0 for an anonymous viewer. */
    readonly id: number,
    readonly roles: readonly Role[],
    /** The session whose access token was sent, if any. */
    readonly sessionId?: string,
    /** The application password that was sent, if any. */
    readonly applicationPasswordId?: string,
  ) {
    this.capabilities = capabilitiesOf(roles);
  }

  /**
   * Whether the viewer has signed up. False for anonymous viewers and for guests, because anybody
   * can become a guest at any time.
   */
  get isKnown(): boolean {
    return this.roles.some((role) => role !== Role.GUEST);
  }

  can(capability: Capability): boolean {
    return this.capabilities.has(capability);
  }
}

/**
 * Returns whether an account is only a guest. Limits count guests by address, like anonymous
 * viewers, because anybody can create any number of guests.
 */
export const isGuest = ({ roles }: Pick<Viewer, 'roles'>): boolean =>
  roles.length > 0 && roles.every((role) => role === Role.GUEST);

/** The viewer without an account. */
export const ANONYMOUS = new Viewer(0, []);
