import type { AuditLog } from '../audit/log.ts';
import { withoutUndefined } from '../json-schema/values.ts';
import { type Caller, requireScope } from '../shared/caller.ts';
import type { Effects } from '../shared/effects.ts';
import { invalid, notFound, RuntimeError, tenantRemoved, tooMany } from '../shared/errors.ts';
import { type Page, pageOf } from '../shared/paging.ts';
import { searchByName } from '../shared/text-search.ts';
import { type MetricCatalog, unknownMetric } from './catalog.ts';
import type { ShownTerm, Term, TermsQuery, UpdateTerm } from './schema.ts';
import { shownTerm } from './shown.ts';
import type { StoredTerm, TermStore } from './store.ts';

export interface GlossaryParts {
  store: TermStore;
  catalog: MetricCatalog;
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
    const all = await this.parts.store.list(caller.tenantId);
    const namesOf = ({ term, synonyms = [] }: StoredTerm) => [term, ...synonyms].join('\n');
    const { items, total } = pageOf(search === undefined ? all : searchByName(all, namesOf, search), page);
    return { items: items.map(shownTerm), total };
  }

  async get(caller: Caller, term: string): Promise<ShownTerm> {
    requireScope(caller, 'metrics:read');
    return shownTerm(await this.named(caller.tenantId, term));
  }

  /** Throws `conflict` when the term is there. */
  async create(caller: Caller, term: Term): Promise<ShownTerm> {
    requireScope(caller, 'metrics:write');
    const { store } = this.parts;
    if (await store.find(caller.tenantId, term.term)) {
      throw new RuntimeError(
        'conflict',
        `There is a term ${JSON.stringify(term.term)} already. PATCH it to change it.`,
      );
    }
    if ((await store.list(caller.tenantId)).length >= MAX_TERMS) {
      throw tooMany('terms', MAX_TERMS);
    }
    return this.put(caller, term, this.parts.effects.now());
  }

  async update(caller: Caller, name: string, changes: UpdateTerm): Promise<ShownTerm> {
    requireScope(caller, 'metrics:write');
    const { createdAt, updatedAt: _, ...term } = await this.named(caller.tenantId, name);
    const changed = Object.entries({ ...term, ...withoutUndefined(changes) }).filter(([, value]) => value !== null);
    return this.put(caller, Object.fromEntries(changed) as Term, createdAt);
  }

  async remove(caller: Caller, term: string): Promise<void> {
    requireScope(caller, 'metrics:write');
    const { store, catalog, audit } = this.parts;
    if (!(await store.remove(caller.tenantId, term))) throw unknownTerm(term);
    catalog.expire();
    await audit.record(caller, caller.tenantId, 'term.removed', term);
  }

  /** An empty list of synonyms is none. */
  private async put(caller: Caller, { synonyms, ...term }: Term, createdAt: number): Promise<ShownTerm> {
    const { store, catalog, audit, effects } = this.parts;
    await this.checkMetric(caller.tenantId, term.metric);
    const put = { ...term, ...(synonyms?.length ? { synonyms } : {}), createdAt, updatedAt: effects.now() };
    if ((await store.put(caller.tenantId, put)) === 'unknown tenant') throw tenantRemoved();
    catalog.expire();
    await audit.record(caller, caller.tenantId, 'term.put', term.term, term.metric ? { metric: term.metric } : {});
    return shownTerm(put);
  }

  private async checkMetric(tenantId: string, name: string | undefined): Promise<void> {
    if (name === undefined) return;
    const all = await this.parts.catalog.all(tenantId);
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
