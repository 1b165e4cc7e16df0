import { type Capability, capabilitiesOf } from './capabilities.js';
import type { Role } from './role.js';

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

  can(capability: Capability): boolean {
    return this.capabilities.has(capability);
  }
}

export const ANONYMOUS = new Viewer(0, []);
