import type { AuditLog } from '../../base/audit/log.ts';
import { isHeld, reaches } from '../../base/filters/limits.ts';
import { type Caller, type Reader, requirePortal } from '../../base/shared/caller.ts';
import type { Effects } from '../../base/shared/effects.ts';
import { conflict } from '../../base/shared/errors.ts';
import { type Page, pageOf } from '../../base/shared/paging.ts';
import { parse } from '../../base/shared/parse.ts';
import { formatUtc } from '../../base/time/time.ts';
import { type Agent, createAgentSchema, type PageQuery, type ShownAgent } from './schema.ts';
import type { AgentStore } from './store.ts';
import type { TenantService } from './tenants.ts';

interface AgentParts {
  store: AgentStore;
  tenants: Pick<TenantService, 'isBlocked' | 'requireUnblocked'>;
  audit: Pick<AuditLog, 'record'>;
  effects: Effects;
}

const MAX_KNOWN_AGENTS = 10_000;

export class AgentService {
  private readonly parts: AgentParts;
  private readonly known = new Set<string>();

  constructor(parts: AgentParts) {
    this.parts = parts;
  }

  /** Every write of a tenant registers its agents here. Throws for a blocked tenant. */
  async register({ tenantId, userId }: Pick<Caller, 'tenantId' | 'userId'>, names: string[]): Promise<void> {
    const { store, tenants, effects } = this.parts;
    if (tenants.isBlocked(tenantId)) this.known.clear();
    tenants.requireUnblocked(tenantId);
    const unknown = names.filter((name) => !this.known.has(`${tenantId}\0${name}`));
    if (unknown.length === 0) return;
    const createdAt = effects.now();
    await store.register(unknown.map((name) => ({ tenantId, name, createdAt, createdBy: userId })));
    if (this.known.size > MAX_KNOWN_AGENTS) this.known.clear();
    for (const name of unknown) this.known.add(`${tenantId}\0${name}`);
  }

  /** Throws `conflict` when the name is taken. */
  async create(tenantId: string, input: { name: string }, by: Caller | null): Promise<ShownAgent> {
    if (by) requirePortal(by, 'administrator');
    const { store, audit, effects } = this.parts;
    const { name } = parse(createAgentSchema, input);
    const agent = { tenantId, name, createdAt: effects.now(), createdBy: by?.userId ?? null };
    if ((await store.register([agent])) === 0) {
      throw conflict(`The tenant has an agent named "${name}" already.`);
    }
    await audit.record(by, tenantId, 'agent.created', name);
    return shownAgent(agent);
  }

  /** The caller has checked that nothing is left of it. */
  async remove(tenantId: string, name: string): Promise<void> {
    await this.parts.store.remove(tenantId, name);
    this.known.delete(`${tenantId}\0${name}`);
  }

  async list(caller: Caller, query: PageQuery): Promise<Page<ShownAgent>> {
    requirePortal(caller, 'user');
    const { tenantId } = caller;
    const held = isHeld(caller, 'agents');
    const { items, total } = held
      ? pageOf(await this.listAll(caller), query)
      : await this.parts.store.page(tenantId, query);
    return { items: items.map(shownAgent), total };
  }

  /** By name: those within the limits of the reader. */
  async listAll(reader: Reader): Promise<Agent[]> {
    const all = await this.parts.store.list(reader.tenantId);
    return isHeld(reader, 'agents') ? all.filter(({ name }) => reaches(reader, 'agents', name)) : all;
  }
}

function shownAgent({ name, createdAt, createdBy }: Agent): ShownAgent {
  return { name, createdAt: formatUtc(createdAt), createdBy };
}
