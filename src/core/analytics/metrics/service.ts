import { isDeepStrictEqual } from 'node:util';
import { type AuditLog, actorOf } from '../../base/audit/log.ts';
import { withoutUndefined } from '../../base/json-schema/values.ts';
import { administers, type Caller, type Reader, requirePortal, requireScope } from '../../base/shared/caller.ts';
import type { Effects } from '../../base/shared/effects.ts';
import {
  conflict,
  forbidden,
  invalid,
  notFound,
  RuntimeError,
  tooMany,
  unprocessable,
} from '../../base/shared/errors.ts';
import { type Page, pageWithin } from '../../base/shared/paging.ts';
import { capMessages } from '../../base/shared/parse.ts';
import { sentence } from '../../base/shared/text.ts';
import type { DefinitionBudget } from '../../limits/quotas/definition-budget.ts';
import { parseFormula, partsOfFormula } from '../events/formula.ts';
import { type PlanContext, planKpi } from '../events/questions/plan.ts';
import { kpiQuestion } from '../events/questions/question.ts';
import { requireEventsWithin } from '../events/questions/within.ts';
import { type MetricCatalog, unknownMetric } from './catalog.ts';
import {
  type CreateMetric,
  type MemberChange,
  type MetricDefinition,
  type MetricDiffQuery,
  type MetricsQuery,
  type MetricVersionsQuery,
  metricDefinitionsIn,
  type ShownMetric,
  type ShownVersion,
  type UpdateMetric,
} from './schema.ts';
import { type CurrentMetric, metricChanges, shownMetric, shownVersion } from './shown.ts';
import type { MetricStore, StoredMetric } from './store.ts';

/**
 * Throws `invalid`, with paths in the definition, unless questions about the metric have a plan.
 */
export function checkMetric(name: string, { title, formula }: MetricDefinition, context: PlanContext): void {
  const version = { version: 1, state: 'proposed', approvedVersion: null, goodDirection: 'none' } as const;
  try {
    planKpi(kpiQuestion({}, { ...version, name, title, formula }), context);
  } catch (error) {
    if (!(error instanceof RuntimeError) || error.code !== 'invalid') throw error;
    throw invalid(...error.messages.map((one) => (one.startsWith('formula.') ? one : `formula.${one}`)));
  }
  if (!('expression' in formula)) return;
  const names = Object.keys(formula.parts);
  const used = partsOfFormula(parseFormula(formula.expression, names, 'formula.expression'));
  const unused = names.filter((_, index) => !used.has(index));
  if (unused.length === 0) return;
  throw invalid(...unused.map((one) => `formula.parts.${one}: is not used in the expression; use it or leave it out`));
}

export interface MetricParts {
  store: MetricStore;
  catalog: MetricCatalog;
  definitions: DefinitionBudget;
  audit: Pick<AuditLog, 'record'>;
  effects: Effects;
}

/** Metrics of a tenant, and versions of one. */
const MAX_METRICS = 1_000;
const MAX_VERSIONS = 500;

export type ProposedMetric = { outcome: 'created' | 'changed' | 'unchanged'; metric: ShownMetric };

/** Changes of metrics. Anyone with `metrics:write` proposes a version; a person approves it. */
export class MetricService {
  private readonly parts: MetricParts;

  constructor(parts: MetricParts) {
    this.parts = parts;
  }

  /** With `search` best first, else by name. */
  async list(caller: Caller, { search, state, ...page }: MetricsQuery): Promise<Page<ShownMetric>> {
    requireScope(caller, 'metrics:read');
    const { catalog } = this.parts;
    const found = search === undefined ? await catalog.all(caller) : await catalog.search(caller, search);
    const { items, total } = pageWithin(
      found.filter((one) => state === undefined || one.state === state),
      page,
    );
    return { items: await this.shown(caller.tenantId, items), total };
  }

  async get(caller: Caller, name: string): Promise<ShownMetric> {
    requireScope(caller, 'metrics:read');
    await this.parts.catalog.requireWithin(caller, name);
    return this.shownNamed(caller.tenantId, name, caller);
  }

  /** Newest first, each with what it changes in the one before. */
  async versions(
    caller: Caller,
    name: string,
    page: MetricVersionsQuery,
  ): Promise<Page<ShownVersion & { changes: MemberChange[] }>> {
    requireScope(caller, 'metrics:read');
    await this.parts.catalog.requireWithin(caller, name);
    const { tenantId } = caller;
    const heads = await this.parts.store.versions(tenantId, name);
    if (heads.length === 0) throw await this.unknown(caller, name);
    const { items, total } = pageWithin(heads, page);
    const [first, last] = [items[0], items.at(-1)];
    if (!first || !last) return { items: [], total };
    const before = heads.filter(({ version }) => version >= last.version - 1 && version <= first.version);
    const versions = (await this.parts.store.some(tenantId, before)).reverse();
    requireEventsWithin(caller, versions);
    const shown = versions.slice(0, items.length).map((version, index) => {
      const earlier = versions[index + 1];
      const changes = earlier ? metricChanges(earlier.definition, version.definition) : [];
      return { ...shownVersion(version), changes };
    });
    return { items: shown, total };
  }

  async diff(
    caller: Caller,
    name: string,
    asked: MetricDiffQuery,
  ): Promise<{ from: number; to: number; changes: MemberChange[] }> {
    requireScope(caller, 'metrics:read');
    await this.parts.catalog.requireWithin(caller, name);
    const { tenantId } = caller;
    const latest = await this.latestOf(tenantId, name, caller);
    const to = asked.to ?? latest.version;
    const from = asked.from ?? to - 1;
    const find = async (version: number) => {
      const found = await this.parts.store.find(tenantId, name, version);
      requireEventsWithin(caller, found);
      if (found) return found.definition;
      throw noVersion(name, version, latest.version);
    };
    return { from, to, changes: metricChanges(await find(from), await find(to)) };
  }

  /** Throws `conflict` when there is one of that name. */
  async create(caller: Caller, { name, ...definition }: CreateMetric): Promise<ShownMetric> {
    requireScope(caller, 'metrics:write');
    const { tenantId } = caller;
    if (await this.find(tenantId, name)) {
      throw conflict(`There is a metric ${JSON.stringify(name)} already. PATCH it to propose a new version.`);
    }
    return this.add(tenantId, name, definition, null, caller);
  }

  /**
   * A new version with these members. Throws `not_found`. The version stays the same if nothing
   * changes.
   */
  async update(caller: Caller, name: string, changes: UpdateMetric): Promise<ShownMetric> {
    requireScope(caller, 'metrics:write');
    const { tenantId } = caller;
    const latest = await this.latestOf(tenantId, name);
    const definition = withoutNulls({ ...latest.definition, ...withoutUndefined(changes) });
    return (await this.propose(tenantId, { name, ...definition }, caller)).metric;
  }

  /** Makes the metric, or a new version of it when the definition differs from the newest. */
  async propose(tenantId: string, { name, ...definition }: CreateMetric, by: Caller | null): Promise<ProposedMetric> {
    if (by) requireScope(by, 'metrics:write');
    const latest = await this.parts.store.latest(tenantId, name);
    const isSame =
      latest !== null && latest.state !== 'deprecated' && isDeepStrictEqual(latest.definition, stored(definition));
    if (isSame) return { outcome: 'unchanged', metric: await this.shownNamed(tenantId, name) };
    const metric = await this.add(tenantId, name, definition, latest, by);
    return { outcome: latest ? 'changed' : 'created', metric };
  }

  /** For the operator: by name. */
  async listAll(tenantId: string): Promise<ShownMetric[]> {
    return this.shown(tenantId, await this.parts.catalog.all({ tenantId }));
  }

  /** From a file of the operator; `approve` approves each. Checks all before it changes any. */
  async apply(tenantId: string, input: unknown, { approve }: { approve: boolean }): Promise<ProposedMetric[]> {
    const definitions = metricDefinitionsIn(input);
    this.checkAll(definitions);
    const applied: ProposedMetric[] = [];
    for (const definition of definitions) {
      const proposed = await this.propose(tenantId, definition, null);
      const { name, latestVersion, approvedVersion } = proposed.metric;
      const isDue = approve && approvedVersion !== latestVersion;
      applied.push(
        isDue ? { ...proposed, metric: await this.approveVersion(tenantId, name, latestVersion, null) } : proposed,
      );
    }
    return applied;
  }

  /** Only a person with the right: an administrator of the portal, or the operator (null). */
  async approve(caller: Caller, name: string, version: number): Promise<ShownMetric> {
    requirePortal(caller, 'administrator');
    return this.approveVersion(caller.tenantId, name, version, caller);
  }

  /** By default the newest version. */
  async approveByOperator(tenantId: string, name: string, version?: number): Promise<ShownMetric> {
    const { latestVersion } = await this.named(tenantId, name);
    return this.approveVersion(tenantId, name, version ?? latestVersion, null);
  }

  /**
   * Its versions can still be asked for. Throws `not_found`, and `forbidden` if it is approved and
   * the caller may not approve.
   */
  async deprecate(tenantId: string, name: string, by: Caller | null): Promise<ShownMetric> {
    if (by) requireScope(by, 'metrics:write');
    await this.named(tenantId, name);
    const { store, catalog, audit, effects } = this.parts;
    const decision = { at: effects.now(), by: actorOf(by).label, approvedToo: by === null || administers(by.role) };
    const changed = await store.deprecate(tenantId, name, decision);
    catalog.expire(tenantId);
    const { approvedVersion } = await this.named(tenantId, name);
    if (!changed && approvedVersion !== null) {
      throw forbidden(
        `A person approved the metric ${JSON.stringify(name)}: an administrator in the portal, or the operator, deprecates it. PATCH proposes another version.`,
      );
    }
    if (changed) await audit.record(by, tenantId, 'metric.deprecated', name);
    return this.shownNamed(tenantId, name);
  }

  /** Every version, of a metric that came with the sample data. */
  async removeSample(tenantId: string, name: string): Promise<void> {
    await this.parts.store.remove(tenantId, name);
    this.parts.catalog.expire(tenantId);
  }

  private async approveVersion(
    tenantId: string,
    name: string,
    version: number,
    by: Caller | null,
  ): Promise<ShownMetric> {
    const { store, catalog, audit, effects } = this.parts;
    const { latestVersion } = await this.named(tenantId, name);
    const approved = await store.approve(tenantId, name, version, { at: effects.now(), by: actorOf(by).label });
    if (!approved) throw noVersion(name, version, latestVersion);
    catalog.expire(tenantId);
    await audit.record(by, tenantId, 'metric.approved', name, { version });
    return this.shownNamed(tenantId, name);
  }

  private async add(
    tenantId: string,
    name: string,
    definition: MetricDefinition,
    latest: StoredMetric | null,
    by: Caller | null,
  ): Promise<ShownMetric> {
    const { store, definitions, catalog, audit, effects } = this.parts;
    this.check(name, definition, by);
    await this.checkLimits(tenantId, latest);
    const version = (latest?.version ?? 0) + 1;
    const proposed: StoredMetric = {
      name,
      version,
      definition: stored(definition),
      state: 'proposed',
      createdAt: effects.now(),
      createdBy: actorOf(by).label,
      decidedAt: null,
      decidedBy: null,
    };
    const result = await definitions.within(tenantId, { before: null, after: proposed.definition }, () =>
      store.add(tenantId, proposed),
    );
    if (result === 'conflict') {
      throw conflict(
        `The metric ${JSON.stringify(name)} was changed at the same time. Read it again, then send the change again.`,
      );
    }
    catalog.expire(tenantId);
    await audit.record(by, tenantId, 'metric.proposed', name, { version });
    return this.shownNamed(tenantId, name);
  }

  private check(name: string, definition: MetricDefinition, by: Caller | null): void {
    checkMetric(name, definition, {
      agentId: null,
      timezone: by?.timezone ?? 'UTC',
      now: this.parts.effects.now(),
    });
  }

  /** Throws `invalid` with the problems of all of them. */
  private checkAll(definitions: CreateMetric[]): void {
    const problems = definitions.flatMap(({ name, ...definition }) => {
      try {
        this.check(name, definition, null);
        return [];
      } catch (error) {
        if (!(error instanceof RuntimeError) || error.code !== 'invalid') throw error;
        return error.messages.map((message) => `metric ${JSON.stringify(name)}: ${message}`);
      }
    });
    if (problems.length > 0) throw invalid(...capMessages(problems));
  }

  private async checkLimits(tenantId: string, latest: StoredMetric | null): Promise<void> {
    const isFull = latest === null && (await this.parts.catalog.all({ tenantId })).length >= MAX_METRICS;
    if (isFull) throw tooMany('metrics', MAX_METRICS);
    if ((latest?.version ?? 0) < MAX_VERSIONS) return;
    throw unprocessable(`A metric has at most ${MAX_VERSIONS} versions. Make one with another name.`);
  }

  private async find(tenantId: string, name: string): Promise<CurrentMetric | undefined> {
    return (await this.parts.catalog.all({ tenantId })).find((one) => one.name === name);
  }

  private async named(tenantId: string, name: string, reader: Reader = { tenantId }): Promise<CurrentMetric> {
    const found = await this.find(tenantId, name);
    if (found) return found;
    throw await this.unknown(reader, name);
  }

  private async unknown(reader: Reader, name: string): Promise<RuntimeError> {
    return notFound(sentence(unknownMetric(await this.parts.catalog.all(reader), name)));
  }

  private async latestOf(tenantId: string, name: string, reader: Reader = { tenantId }): Promise<StoredMetric> {
    const latest = await this.parts.store.latest(tenantId, name);
    if (latest) return latest;
    throw await this.unknown(reader, name);
  }

  private async shownNamed(tenantId: string, name: string, reader?: Reader): Promise<ShownMetric> {
    const [shown] = await this.shown(tenantId, [await this.named(tenantId, name, reader)]);
    if (shown) return shown;
    throw await this.unknown({ tenantId }, name);
  }

  /** In the order of the metrics. */
  private async shown(tenantId: string, metrics: readonly CurrentMetric[]): Promise<ShownMetric[]> {
    const stored = await this.parts.store.some(tenantId, metrics);
    const byName = new Map(stored.map((one) => [one.name, one]));
    return metrics.flatMap((metric) => {
      const found = byName.get(metric.name);
      return found ? [shownMetric(found, metric)] : [];
    });
  }
}

function withoutNulls(
  definition: { [Member in keyof MetricDefinition]: MetricDefinition[Member] | null },
): MetricDefinition {
  return Object.fromEntries(Object.entries(definition).filter(([, value]) => value !== null)) as MetricDefinition;
}

/** The definition as storage returns it, for comparisons; an empty list of synonyms is none. */
function stored({ synonyms, ...definition }: MetricDefinition): MetricDefinition {
  return JSON.parse(JSON.stringify({ ...definition, ...(synonyms?.length ? { synonyms } : {}) })) as MetricDefinition;
}

function noVersion(name: string, version: number, latest: number): RuntimeError {
  return notFound(`The metric ${JSON.stringify(name)} has no version ${version}; the newest is ${latest}.`);
}
