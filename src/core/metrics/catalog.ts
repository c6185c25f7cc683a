import type { DefinedMetric, MetricSource, MetricState, Vocabulary } from '../events/questions/kpi-question.ts';
import type { Effects } from '../shared/effects.ts';
import { invalid } from '../shared/errors.ts';
import { listNames } from '../shared/names.ts';
import { ShortCache } from '../shared/short-cache.ts';
import { searchByName } from '../shared/text-search.ts';
import { metricsNamed, rankMetrics } from './find.ts';
import { type CurrentMetric, currentMetrics, definedMetric, listedMetric, listedTerm } from './shown.ts';
import type { MetricStore, StoredTerm, TermStore } from './store.ts';

export interface CatalogParts {
  store: Pick<MetricStore, 'current' | 'find'>;
  terms: Pick<TermStore, 'list'>;
  effects: Pick<Effects, 'now'>;
}

interface Known {
  metrics: CurrentMetric[];
  terms: StoredTerm[];
}

const MAX_TENANTS = 1_000;
const MAX_NEAREST = 2;

/** Finds metrics for questions and lists. At most half a second old, also when another process changes them. */
export class MetricCatalog implements MetricSource {
  private readonly parts: CatalogParts;
  private readonly cache: ShortCache<Known>;

  constructor(parts: CatalogParts) {
    this.parts = parts;
    this.cache = new ShortCache(parts.effects.now, MAX_TENANTS);
  }

  /** By name. */
  async all(tenantId: string): Promise<readonly CurrentMetric[]> {
    return (await this.known(tenantId)).metrics;
  }

  /** Those that share words with the text, best first. */
  async search(tenantId: string, text: string): Promise<CurrentMetric[]> {
    const all = await this.all(tenantId);
    return [...new Set([...metricsNamed(all, text), ...rankMetrics(all, text)])];
  }

  async vocabulary(tenantId: string, search?: string): Promise<Vocabulary> {
    const { terms } = await this.known(tenantId);
    const metrics = search === undefined ? await this.all(tenantId) : await this.search(tenantId, search);
    const namesOf = ({ term, synonyms = [] }: StoredTerm) => [term, ...synonyms].join('\n');
    return {
      metrics: (['approved', 'proposed'] as const).flatMap((state) =>
        metrics.filter((metric) => metric.state === state).map(listedMetric),
      ),
      terms: searchByName(terms, namesOf, search ?? '').map(listedTerm),
    };
  }

  async approved(tenantId: string): Promise<readonly DefinedMetric[]> {
    const all = await this.all(tenantId);
    return all.filter(({ state }) => state === 'approved').map((one) => definedMetric(one, one.approvedVersion));
  }

  async resolve(tenantId: string, reference: string): Promise<DefinedMetric> {
    const [, name = reference, version] = /^(.+)@(\d+)$/.exec(reference) ?? [];
    const all = await this.all(tenantId);
    const metric = one(all, name);
    if (version === undefined || Number(version) === metric.version)
      return definedMetric(metric, metric.approvedVersion);
    const found = await this.parts.store.find(tenantId, metric.name, Number(version));
    if (found) return definedMetric(found, metric.approvedVersion);
    throw invalid(
      `metric: ${JSON.stringify(metric.name)} has no version ${version}; the newest is ${metric.latestVersion}`,
    );
  }

  private known(tenantId: string): Promise<Known> {
    return this.cache.get(tenantId, async () => {
      const { store, terms } = this.parts;
      const [versions, words] = [await store.current(tenantId), await terms.list(tenantId)];
      return { metrics: currentMetrics(versions, words), terms: words };
    });
  }

  /** After a change in this process. */
  expire(): void {
    this.cache.expire();
  }
}

/**
 * Throws `invalid` unless the text names exactly one. A deprecated metric is found by its name
 * alone; an approved one comes before a proposed one, unless the text is the name of that.
 */
function one(all: readonly CurrentMetric[], text: string): CurrentMetric {
  const inState = (...states: MetricState[]) => all.filter(({ state }) => states.includes(state));
  const found =
    [
      all.filter(({ name }) => name === text),
      metricsNamed(inState('approved'), text),
      metricsNamed(inState('approved', 'proposed'), text),
      metricsNamed(all, text),
    ].find((metrics) => metrics.length > 0) ?? [];
  if (found.length === 1) return found[0]!;
  if (found.length > 1) throw invalid(`metric: ${JSON.stringify(text)} may be ${titled(found)}; send the name of one`);
  throw invalid(`metric: ${unknownMetric(all, text)}`);
}

export function unknownMetric(all: readonly CurrentMetric[], text: string): string {
  const unknown = `there is no metric ${JSON.stringify(text)}`;
  if (all.length === 0) return `${unknown}, nor any other; ask with eventName and aggregation`;
  const nearest = rankMetrics(
    all.filter(({ state }) => state !== 'deprecated'),
    text,
  ).slice(0, MAX_NEAREST);
  if (nearest.length > 0) return `${unknown}; nearest: ${titled(nearest)}`;
  return `${unknown}; known: ${listNames(all.map(({ name }) => name))}`;
}

function titled(metrics: readonly CurrentMetric[]): string {
  return metrics.map(({ name, title }) => `${JSON.stringify(name)} (${title})`).join(', ');
}
