import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { paths } from '../../../../clients/typescript/api.d.ts';
import { useAgent } from '../../shell/remembered.ts';
import { Button } from '../../ui/button.tsx';
import { DateField } from '../../ui/date-field.tsx';
import { Form, SelectField, TextField, typing } from '../../ui/field.tsx';
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
  const choice = (name: 'rating' | 'status' | 'priority') => ({
    value: search[name] ?? '',
    onChoose: (value: string) => setSearch({ [name]: value || undefined }),
  });
  const date = (name: 'from' | 'to') => ({
    value: search[name] ?? '',
    onChoose: (value: string) => setSearch({ [name]: value || undefined }),
  });
  const clear = ({ currentTarget }: { currentTarget: HTMLElement }) => {
    // The button goes away with the filters.
    currentTarget.closest('search')?.querySelector('select')?.focus();
    setSearch(NONE);
  };
  return (
    <search className="fields">
      <SelectField label="Rating" options={[any('Any rating'), ...RATINGS]} {...choice('rating')} />
      <SelectField label="Status" options={[any('Any status'), ...STATUSES]} {...choice('status')} />
      <SelectField label="Priority" options={[any('Any priority'), ...PRIORITIES]} {...choice('priority')} />
      <TagField value={search.tag ?? ''} />
      <DateField label="Created from" {...date('from')} />
      <DateField label="Created through" {...date('to')} />
      {isFiltered && (
        <div className="row">
          <Button onClick={clear}>Clear filters</Button>
        </div>
      )}
    </search>
  );
}

/** A tag is found as a whole: Enter asks. */
function TagField({ value }: { value: string }) {
  const setSearch = useSetSearch();
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const ask = () => {
    if (text.trim() !== value) setSearch({ tag: text.trim() || undefined });
  };
  return (
    <Form className="" onSubmit={ask}>
      <TextField
        label="Tag"
        type="search"
        maxLength={100}
        placeholder="Any tag"
        {...typing(text, setText)}
        onBlur={ask}
      />
    </Form>
  );
}
