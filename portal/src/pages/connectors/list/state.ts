import type { Schemas } from '../../../api/schemas.ts';
import type { ConnectorSummary } from '../types.ts';

/** Connectors with the text in their slug, name, hosts or credentials. */
export function matching(connectors: readonly ConnectorSummary[], search = ''): readonly ConnectorSummary[] {
  const sought = search.toLowerCase();
  return connectors.filter(({ slug, name, hosts, credentials }) =>
    [slug, name, ...hosts, ...credentials].some((text) => text.toLowerCase().includes(sought)),
  );
}

export interface CallCounts {
  done: number;
  failed: number;
}

type Groups = Schemas['AggregateAnswer']['groups'];

/** Calls by the slug of their connector. */
export function countsBySlug(done: Groups = [], failed: Groups = []): Map<string, CallCounts> {
  const counts = new Map<string, CallCounts>();
  const add = (groups: NonNullable<Groups>, member: keyof CallCounts) => {
    for (const { group, value } of groups) {
      const slug = String(group);
      const before = counts.get(slug) ?? { done: 0, failed: 0 };
      counts.set(slug, { ...before, [member]: value ?? 0 });
    }
  };
  add(done, 'done');
  add(failed, 'failed');
  return counts;
}
