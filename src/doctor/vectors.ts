import type { VectorSearch } from '../storage/knowledge/rows/recall.ts';
import { check, type Finding, formatCount } from './findings.ts';

const CHECK = 'vector search';

/** How a large vector store is searched; `search` has the figures for scripts. */
export interface VectorFinding extends Finding {
  search: VectorSearch;
}

export function findingOfSearch(search: VectorSearch): VectorFinding {
  const { tenant, store, vectors } = search;
  const isShort = search.search === 'exact' && search.recall !== null;
  return {
    check: CHECK,
    status: isShort ? 'warning' : 'ok',
    message: `${store} of tenant ${tenant}, ${formatCount(vectors)} vectors: ${wayOf(search)}`,
    search,
  };
}

export async function findingsOfPostgresVectors(url: string): Promise<Finding[]> {
  let found: VectorSearch[] = [];
  const examined = await check(CHECK, async () => {
    const { examinePostgresVectors } = await import('../storage/knowledge/postgres/examine.ts');
    found = await examinePostgresVectors(url);
    return '';
  });
  return examined.status === 'ok' ? found.map(findingOfSearch) : [examined];
}

function wayOf({ search, bits, candidates, recall }: VectorSearch): string {
  if (recall === null) return 'searched exactly until its index is made and measured';
  const share = `${recall.toFixed(3)} of the ten nearest`;
  if (search === 'exact') return `searched exactly, which is slow: an index found only ${share} when it was measured`;
  const way = search === 'bits' ? `by ${formatCount(bits ?? 0)} bits` : 'by an HNSW index';
  return `searched ${way} and ${formatCount(candidates ?? 0)} candidates; found ${share} when it was measured`;
}
