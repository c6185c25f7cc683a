import { workerData } from 'piscina';
import type { SearchPlan, SearchResult } from '../../core/knowledge/store.ts';
import { Search } from './search.ts';
import { openForSearch } from './tables.ts';

/* The entry of search threads, each with a read-only connection. */

export interface SearchRequest {
  tenantId: string;
  plan: SearchPlan;
}

const { path } = workerData as { path: string };
let search: Search | undefined;

export default function answer({ tenantId, plan }: SearchRequest): SearchResult | null {
  // Opened with the first search: that one fails if it cannot be opened, and the next retries.
  search ??= new Search(openForSearch(path));
  return search.search(tenantId, plan);
}
