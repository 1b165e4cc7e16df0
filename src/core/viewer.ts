import { type Capability, capabilitiesOf } from './capabilities.js';
import { Role } from './roles.js';

/** Who asks: an account as it was when the request came, or nobody. */
export class Viewer {
  readonly capabilities: ReadonlySet<Capability>;

  constructor(
    /** The account's id, 0 for the anonymous. */
    readonly id: number,
    readonly roles: readonly Role[],
    /** The session whose token signed the request in, if a session did. */
    readonly sessionId?: string,
    /** The application password that signed the request in, if one did. */
    readonly applicationPasswordId?: string,
  ) {
    this.capabilities = capabilitiesOf(roles);
  }

  /**
   * Whether somebody has signed up: not the anonymous, and not a guest, which anybody can become at
   * any time.
   */
  get isKnown(): boolean {
    return this.roles.some((role) => role !== Role.GUEST);
  }

  can(capability: Capability): boolean {
    return this.capabilities.has(capability);
  }
}

/**
 * Whether somebody is a guest and nothing else: limits count such an account like the anonymous, by
 * address, because it is free to make.
 */
export const isGuest = ({ roles }: Pick<Viewer, 'roles'>): boolean =>
  roles.length > 0 && roles.every((role) => role === Role.GUEST);

export const ANONYMOUS = new Viewer(0, []);
