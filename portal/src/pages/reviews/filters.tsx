import { useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '../../language/index.ts';
import { useAgent } from '../../shell/remembered.ts';
import { DateField } from '../../ui/date-field.tsx';
import { SelectField } from '../../ui/field.tsx';
import { useSetSearch } from '../../ui/use-set-search.ts';
import type { ReviewsQuery } from './api.ts';
import { PRIORITIES, RATINGS, STATUSES } from './words.ts';

/** The filters of reviews in the address, as the API takes them, with the agent of the shell. */
export function useFilters() {
  const agentId = useAgent();
  const { rating, status, priority, tag, search, match, from, to } = useSearch({ strict: false });
  const asked = { rating, status, priority, tag, search, match, dateFrom: from, dateTo: to };
  const given = Object.entries({ agentId, ...asked }).filter(([, value]) => value !== undefined);
  return {
    filters: Object.fromEntries(given) as Omit<ReviewsQuery, 'limit' | 'offset'>,
    /** True if there is one beside the agent. */
    isFiltered: given.some(([name]) => name !== 'agentId'),
  };
}

type Filter = 'rating' | 'status' | 'priority' | 'match' | 'from' | 'to';

/** The value of a filter in the address, and how it changes. Another question begins at its first page. */
export function useFilter() {
  const search = useSearch({ strict: false });
  const setSearch = useSetSearch();
  return (name: Filter) => ({
    value: search[name] ?? '',
    onChoose: (value: string) => setSearch({ [name]: value || undefined, page: undefined }),
  });
}

const any = (label: string) => ({ value: '', label }) as const;

/** The fields of the filters that a list and an export have in common, and between them those of one. */
export function CommonFilters({ children }: { children?: ReactNode }) {
  const filter = useFilter();
  return (
    <>
      <SelectField label={t('Rating')} options={[any(t('Any rating')), ...RATINGS]} {...filter('rating')} />
      <SelectField label={t('Status')} options={[any(t('Any status')), ...STATUSES]} {...filter('status')} />
      <SelectField label={t('Priority')} options={[any(t('Any priority')), ...PRIORITIES]} {...filter('priority')} />
      {children}
      <DateField label={t('Created from')} {...filter('from')} />
      <DateField label={t('Created through')} {...filter('to')} />
    </>
  );
}
