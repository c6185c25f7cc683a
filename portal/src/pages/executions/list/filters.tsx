import { getRouteApi } from '@tanstack/react-router';
import { type ComponentProps, useEffect, useState } from 'react';
import { KINDS } from '../../../transcript/steps/tree.ts';
import { Button } from '../../../ui/button.tsx';
import { DateField } from '../../../ui/date-field.tsx';
import { Form, SelectField, TextField, typing } from '../../../ui/field.tsx';
import { SearchField } from '../../../ui/list-page.tsx';
import { useSetSearch } from '../../../ui/use-set-search.ts';
import { RATINGS } from '../../reviews/words.ts';
import { STATUSES } from '../words.ts';
import { FILTERS, isFiltered, type ListSearch } from './state.ts';

const route = getRouteApi('/shell/executions');

type Filter = (typeof FILTERS)[number];

/** Those beyond the first row. */
const MORE: readonly Filter[] = FILTERS.filter((name) => !['search', 'status', 'hasReview', 'rating'].includes(name));

const NONE = Object.fromEntries(FILTERS.map((name) => [name, undefined])) as ListSearch;

const REVIEWED = [
  { value: '', label: 'Any or none' },
  ...RATINGS.map(({ value, label }) => ({ value, label: `Rated ${label.toLowerCase()}` })),
  { value: 'true', label: 'Reviewed' },
  { value: 'false', label: 'Not reviewed' },
];

const ASSESSED = [
  { value: '', label: 'Any or none' },
  { value: 'true', label: 'Assessed' },
  { value: 'false', label: 'Not assessed' },
];

const KIND_OPTIONS = [
  { value: '', label: 'Any steps' },
  ...KINDS.map((kind) => ({ value: kind, label: `With a step “${kind}”` })),
];

const ORDERS = [
  { value: 'startedAt desc', label: 'Newest first' },
  { value: 'startedAt asc', label: 'Oldest first' },
  { value: 'cost desc', label: 'Highest cost first' },
  { value: 'cost asc', label: 'Lowest cost first' },
  { value: 'latencyMs desc', label: 'Slowest first' },
  { value: 'latencyMs asc', label: 'Fastest first' },
  { value: 'totalTokens desc', label: 'Most tokens first' },
  { value: 'totalTokens asc', label: 'Fewest tokens first' },
];

/** Another question begins at its first page. */
function useAsk() {
  const setSearch = useSetSearch();
  return (changed: ListSearch) => setSearch({ ...changed, after: undefined });
}

/** The filters and the order of the list, which the address has. */
export function Filters() {
  const search = route.useSearch();
  const ask = useAsk();
  const [isOpen, setOpen] = useState(MORE.some((name) => search[name] !== undefined));
  const clear = ({ currentTarget }: { currentTarget: HTMLElement }) => {
    // The button goes away with the filters.
    currentTarget.closest('search')?.querySelector('input')?.focus();
    ask(NONE);
  };
  return (
    <search className="stack tight">
      <div className="fields">
        <SearchField label="Words of messages and output" />
        <Select name="status" label="Status" options={[{ value: '', label: 'Any status' }, ...STATUSES]} />
        <SelectField
          label="Review"
          value={search.rating ?? search.hasReview ?? ''}
          options={REVIEWED}
          onChoose={(value) => ask(reviewOf(value))}
        />
        <Order />
      </div>
      <details className="folded" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>More filters</summary>
        <div className="fields">
          <DateFilter name="from" label="From" />
          <DateFilter name="to" label="Through" />
          <TextFilter name="threadId" label="Thread" />
          <TextFilter name="userId" label="User" />
          <TextFilter name="name" label="Name" />
          <TextFilter name="tag" label="Tag" />
          <TextFilter name="model" label="Model" />
          <TextFilter name="provider" label="Provider" />
          <Select name="kind" label="Steps" options={KIND_OPTIONS} />
          <Select name="hasAssessment" label="Assessments" options={ASSESSED} />
          <NumberFilter name="minCost" label="Cost from, US dollars" />
          <NumberFilter name="maxCost" label="Cost up to, US dollars" />
          <NumberFilter name="minLatencyMs" label="Latency from, milliseconds" />
          <NumberFilter name="maxLatencyMs" label="Latency up to, milliseconds" />
        </div>
      </details>
      {isFiltered(search) && (
        <div className="row">
          <Button onClick={clear}>Clear filters</Button>
        </div>
      )}
    </search>
  );
}

function reviewOf(value: string): ListSearch {
  const isRating = RATINGS.some((rating) => rating.value === value);
  return { rating: isRating ? value : undefined, hasReview: isRating ? undefined : value || undefined };
}

interface FilterProps {
  name: Filter;
  label: string;
}

function Select({ name, label, options }: FilterProps & { options: readonly { value: string; label: string }[] }) {
  const value = route.useSearch()[name] ?? '';
  const ask = useAsk();
  return (
    <SelectField
      label={label}
      value={value}
      options={options}
      onChoose={(chosen) => ask({ [name]: chosen || undefined })}
    />
  );
}

function DateFilter({ name, label }: FilterProps) {
  const value = route.useSearch()[name] ?? '';
  const ask = useAsk();
  return <DateField label={label} value={value} onChoose={(date) => ask({ [name]: date || undefined })} />;
}

/** Is found as a whole: Enter asks. */
function TextFilter({ name, label, ...rest }: FilterProps & Partial<ComponentProps<typeof TextField>>) {
  const value = route.useSearch()[name] ?? '';
  const ask = useAsk();
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const submit = () => {
    if (text.trim() !== value) ask({ [name]: text.trim() || undefined });
  };
  return (
    <Form className="" onSubmit={submit}>
      <TextField label={label} maxLength={200} {...rest} {...typing(text, setText)} onBlur={submit} />
    </Form>
  );
}

function NumberFilter(props: FilterProps) {
  return <TextFilter {...props} type="number" min={0} step="any" inputMode="decimal" />;
}

function Order() {
  const { sortBy = 'startedAt', sortOrder = 'desc' } = route.useSearch();
  const ask = useAsk();
  const choose = (value: string) => {
    const [by, order] = value.split(' ') as [string, string];
    ask({ sortBy: by === 'startedAt' ? undefined : by, sortOrder: order === 'desc' ? undefined : order });
  };
  return <SelectField label="Order" value={`${sortBy} ${sortOrder}` as string} options={ORDERS} onChoose={choose} />;
}
