import { workerData } from 'piscina';
import type { SearchPlan, SearchResult } from '../../core/knowledge/store.ts';
import { Search } from './search.ts';
import { openForSearch } from './tables.ts';

/* A thread that searches: one connection that cannot write. */

export interface SearchRequest {
  tenantId: string;
  plan: SearchPlan;
}

const { path } = workerData as { path: string };
let search: Search | undefined;

export default function answer({ tenantId, plan }: SearchRequest): SearchResult | null {
  // With the first question: whoever asks is told when it cannot be opened, and the next may find that it can.
  search ??= new Search(openForSearch(path));
  return search.search(tenantId, plan);
}
