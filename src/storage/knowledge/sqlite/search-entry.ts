import { workerData } from 'piscina';
import type { SearchPlan, SearchResult } from '../../../core/knowledge/store.ts';
import { openForSearch } from './client.ts';
import { Search, type SearchOptions } from './search.ts';

export interface SearchTask {
  tenantId: string;
  plan: SearchPlan;
}

const { path, memoryShare, ...options } = workerData as { path: string; memoryShare: number } & SearchOptions;
let search: Search | undefined;

export default function answer({ tenantId, plan }: SearchTask): SearchResult | null {
  // If it cannot be opened, this search fails and the next retries.
  search ??= new Search(openForSearch(path, memoryShare), options);
  return search.search(tenantId, plan);
}
