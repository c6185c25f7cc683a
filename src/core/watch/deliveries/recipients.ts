import type { UserStore } from '../../access/users/store.ts';
import { domainOf } from '../../base/shared/text.ts';

export interface RecipientParts {
  users: Pick<UserStore, 'findByEmail'>;
  /** In lower case; `*` is any. */
  domains: readonly string[];
}

/**
 * Who may be sent e-mails: the active users of the tenant, and every address in a domain that the
 * operator allows. A deactivated user is sent none, whatever the domain.
 */
export class Recipients {
  private readonly parts: RecipientParts;

  constructor(parts: RecipientParts) {
    this.parts = parts;
  }

  /** The addresses that may not be written to. */
  async refused(tenantId: string, addresses: readonly string[]): Promise<string[]> {
    const refused: string[] = [];
    for (const address of addresses) if (!(await this.isAllowed(tenantId, address))) refused.push(address);
    return refused;
  }

  private async isAllowed(tenantId: string, address: string): Promise<boolean> {
    const { users, domains } = this.parts;
    const [user] = await users.findByEmail(address, tenantId);
    if (user) return user.isActive;
    return domains.includes('*') || domains.includes(domainOf(address));
  }
}

export const WHO_MAY =
  'the active users of the tenant may be written to, and the domains that the operator allows (AGENT_RUNTIME_MAIL_DOMAINS)';
