import { getRouteApi } from '@tanstack/react-router';
import type { paths } from '../../../../clients/typescript/api.d.ts';
import { useAgent } from '../../shell/remembered.ts';
import { DateField } from '../../ui/date-field.tsx';
import { SelectField } from '../../ui/field.tsx';
import { AskedField, ClearFilters } from '../../ui/filters.tsx';
import { useSetSearch } from '../../ui/use-set-search.ts';
import { PRIORITIES, RATINGS, STATUSES } from '../reviews/words.ts';

export const COUNTS = '/api/v1/runtime/v1/observability/reviews/export/training-data/counts';
const route = getRouteApi('/shell/training');

/** The filters of an export. */
export type Filters = NonNullable<paths[typeof COUNTS]['get']['parameters']['query']>;

/** The parameters of the address, as the API takes them, with the agent of the shell. */
export function useFilters(): Filters {
  const agentId = useAgent();
  const { rating, status, priority, tag, from, to } = route.useSearch();
  const given = { agentId, rating, status, priority, tag, dateFrom: from, dateTo: to };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Filters;
}

const NONE = {
  rating: undefined,
  status: undefined,
  priority: undefined,
  tag: undefined,
  from: undefined,
  to: undefined,
};

/** True if the address has a filter beside the agent. */
export function useIsFiltered(): boolean {
  const search = route.useSearch();
  return Object.keys(NONE).some((name) => search[name as keyof typeof NONE] !== undefined);
}

const any = (label: string) => ({ value: '', label }) as const;

export function FilterFields() {
  const search = route.useSearch();
  const setSearch = useSetSearch();
  const isFiltered = useIsFiltered();
  const choice = (name: 'rating' | 'status' | 'priority' | 'from' | 'to') => ({
    value: search[name] ?? '',
    onChoose: (value: string) => setSearch({ [name]: value || undefined }),
  });
  return (
    <search className="fields">
      <SelectField label="Rating" options={[any('Any rating'), ...RATINGS]} {...choice('rating')} />
      <SelectField label="Status" options={[any('Any status'), ...STATUSES]} {...choice('status')} />
      <SelectField label="Priority" options={[any('Any priority'), ...PRIORITIES]} {...choice('priority')} />
      <AskedField
        label="Tag"
        type="search"
        maxLength={100}
        placeholder="Any tag"
        value={search.tag ?? ''}
        onAsk={(tag) => setSearch({ tag })}
      />
      <DateField label="Created from" {...choice('from')} />
      <DateField label="Created through" {...choice('to')} />
      {isFiltered && (
        <div className="row">
          <ClearFilters onClear={() => setSearch(NONE)} />
        </div>
      )}
    </search>
  );
}
