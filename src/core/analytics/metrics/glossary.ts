import type { AuditLog } from '../../base/audit/log.ts';
import { isHeld } from '../../base/filters/limits.ts';
import { withoutUndefined } from '../../base/json-schema/values.ts';
import { type Caller, requireScope } from '../../base/shared/caller.ts';
import type { Effects } from '../../base/shared/effects.ts';
import { conflict, invalid, notFound, type RuntimeError, tenantRemoved, tooMany } from '../../base/shared/errors.ts';
import type { Page } from '../../base/shared/paging.ts';
import { searchByName } from '../../base/shared/text-search.ts';
import type { DefinitionBudget } from '../../limits/quotas/definition-budget.ts';
import { type MetricCatalog, unknownMetric } from './catalog.ts';
import type { GlossaryTerm, ShownTerm, TermsQuery, UpdateTerm } from './schema.ts';
import { namesOfTerm, shownTerm } from './shown.ts';
import type { StoredTerm, TermStore } from './store.ts';
import { pageOfKeys } from './summaries.ts';

export interface GlossaryParts {
  store: TermStore;
  catalog: MetricCatalog;
  definitions: DefinitionBudget;
  audit: Pick<AuditLog, 'record'>;
  effects: Pick<Effects, 'now'>;
}

const MAX_TERMS = 2_000;

/** Words of the business, with their synonyms and the metric that they mean. */
export class Glossary {
  private readonly parts: GlossaryParts;

  constructor(parts: GlossaryParts) {
    this.parts = parts;
  }

  async list(caller: Caller, { search, ...page }: TermsQuery): Promise<Page<ShownTerm>> {
    requireScope(caller, 'metrics:read');
    const { store, catalog } = this.parts;
    const { tenantId } = caller;
    const isWhole = search === undefined && !isHeld(caller, 'eventNames');
    const found = isWhole ? undefined : searchByName(await catalog.terms(caller), namesOfTerm, search ?? '');
    const { items, total } = await pageOfKeys(
      store,
      tenantId,
      found?.map(({ term }) => term),
      page,
    );
    return { items: items.map(shownTerm), total };
  }

  async get(caller: Caller, term: string): Promise<ShownTerm> {
    requireScope(caller, 'metrics:read');
    const found = await this.named(caller.tenantId, term);
    if (found.metric !== undefined) await this.parts.catalog.requireWithin(caller, found.metric);
    return shownTerm(found);
  }

  /** Throws `conflict` when the term is there. */
  async create(caller: Caller, term: GlossaryTerm): Promise<ShownTerm> {
    requireScope(caller, 'metrics:write');
    const { store } = this.parts;
    if (await store.find(caller.tenantId, term.term)) {
      throw conflict(`There is a term ${JSON.stringify(term.term)} already. PATCH it to change it.`);
    }
    if ((await store.stamps(caller.tenantId)).length >= MAX_TERMS) {
      throw tooMany('terms', MAX_TERMS);
    }
    return this.put(caller, term, null, this.parts.effects.now());
  }

  async update(caller: Caller, name: string, changes: UpdateTerm): Promise<ShownTerm> {
    requireScope(caller, 'metrics:write');
    const before = await this.named(caller.tenantId, name);
    const { createdAt, updatedAt: _, ...term } = before;
    const changed = Object.entries({ ...term, ...withoutUndefined(changes) }).filter(([, value]) => value !== null);
    return this.put(caller, Object.fromEntries(changed) as GlossaryTerm, before, createdAt);
  }

  async remove(caller: Caller, term: string): Promise<void> {
    requireScope(caller, 'metrics:write');
    const { store, catalog, audit } = this.parts;
    if (!(await store.remove(caller.tenantId, term))) throw unknownTerm(term);
    catalog.expire(caller.tenantId, term);
    await audit.record(caller, caller.tenantId, 'term.removed', term);
  }

  /** An empty list of synonyms is none. */
  private async put(
    caller: Caller,
    { synonyms, ...term }: GlossaryTerm,
    before: StoredTerm | null,
    createdAt: number,
  ): Promise<ShownTerm> {
    const { store, definitions, catalog, audit, effects } = this.parts;
    const { tenantId } = caller;
    await this.checkMetric(tenantId, term.metric);
    const put = { ...term, ...(synonyms?.length ? { synonyms } : {}), createdAt, updatedAt: effects.now() };
    const result = await definitions.within(tenantId, { before, after: put }, () => store.put(tenantId, put));
    if (result === 'unknown tenant') throw tenantRemoved();
    catalog.expire(tenantId, term.term);
    await audit.record(caller, caller.tenantId, 'term.put', term.term, term.metric ? { metric: term.metric } : {});
    return shownTerm(put);
  }

  private async checkMetric(tenantId: string, name: string | undefined): Promise<void> {
    if (name === undefined) return;
    const all = await this.parts.catalog.all({ tenantId });
    if (!all.some((metric) => metric.name === name)) throw invalid(`metric: ${unknownMetric(all, name)}`);
  }

  private async named(tenantId: string, term: string): Promise<StoredTerm> {
    const found = await this.parts.store.find(tenantId, term);
    if (found) return found;
    throw unknownTerm(term);
  }
}

function unknownTerm(term: string): RuntimeError {
  return notFound(`There is no term ${JSON.stringify(term)}.`);
}
