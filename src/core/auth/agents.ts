import { formatUtc } from '../events/time.ts';
import { type Caller, requirePortal } from '../shared/caller.ts';
import type { Page } from '../shared/paging.ts';
import type { Agent, PageQuery, ShownAgent } from './schema.ts';
import type { AuthService } from './service.ts';
import type { AgentStore } from './store.ts';

/** The agents of a tenant, for its portal users. */
export class AgentService {
  private readonly auth: AuthService;
  private readonly agents: AgentStore;

  constructor({ auth, agents }: { auth: AuthService; agents: AgentStore }) {
    this.auth = auth;
    this.agents = agents;
  }

  /** By name. */
  async list(caller: Caller, query: PageQuery): Promise<Page<ShownAgent>> {
    requirePortal(caller, 'user');
    const { items, total } = await this.agents.page(caller.tenantId, query);
    return { items: items.map(shownAgent), total };
  }

  /** Throws `conflict` when there is one of that name. */
  async create(caller: Caller, input: { name: string }): Promise<ShownAgent> {
    requirePortal(caller, 'administrator');
    return shownAgent(await this.auth.createAgent(caller.tenantId, input, caller));
  }
}

function shownAgent({ name, createdAt, createdBy }: Agent): ShownAgent {
  return { name, createdAt: formatUtc(createdAt), createdBy };
}
