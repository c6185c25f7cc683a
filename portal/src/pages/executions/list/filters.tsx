import { getRouteApi } from '@tanstack/react-router';
import { type ComponentProps, useEffect, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { DateField } from '../../../ui/date-field.tsx';
import { Form, SelectField, TextField, typing } from '../../../ui/field.tsx';
import { SearchField } from '../../../ui/list-page.tsx';
import { useSetSearch } from '../../../ui/use-set-search.ts';
import { FILTER_FIELDS, type FilterField } from '../filter-fields.ts';
import { FILTERS, isFiltered, type ListSearch } from './state.ts';

const route = getRouteApi('/shell/executions');

type Filter = (typeof FILTERS)[number];

const FIELDS = FILTER_FIELDS.filter(
  (field): field is FilterField & { name: Filter } =>
    field.name !== 'search' && FILTERS.some((name) => name === field.name),
);
const COMMON = FIELDS.filter(({ isCommon }) => isCommon);
const RARE = FIELDS.filter(({ isCommon }) => !isCommon);
const RARE_NAMES: readonly Filter[] = ['from', 'to', ...RARE.map(({ name }) => name)];

const NUMBER = { type: 'number', min: 0, step: 'any', inputMode: 'decimal' } as const;

const NONE = Object.fromEntries(FILTERS.map((name) => [name, undefined])) as ListSearch;

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
  const [isOpen, setOpen] = useState(RARE_NAMES.some((name) => search[name] !== undefined));
  const clear = ({ currentTarget }: { currentTarget: HTMLElement }) => {
    // The button goes away with the filters.
    currentTarget.closest('search')?.querySelector('input')?.focus();
    ask(NONE);
  };
  return (
    <search className="stack tight">
      <div className="fields">
        <SearchField label="Words of messages and output" />
        {COMMON.map((field) => (
          <FieldFilter key={field.name} field={field} />
        ))}
        <Order />
      </div>
      <details className="folded" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>More filters</summary>
        <div className="fields">
          <DateFilter name="from" label="From" />
          <DateFilter name="to" label="Through" />
          {RARE.map((field) => (
            <FieldFilter key={field.name} field={field} />
          ))}
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

interface FilterProps {
  name: Filter;
  label: string;
}

function FieldFilter({ field: { name, label, options, kind } }: { field: (typeof FIELDS)[number] }) {
  const value = route.useSearch()[name] ?? '';
  const ask = useAsk();
  if (options) {
    const choose = (chosen: string) => ask({ [name]: chosen || undefined });
    return <SelectField label={label} value={value} options={options} onChoose={choose} />;
  }
  return <TextFilter name={name} label={label} {...(kind === 'number' && NUMBER)} />;
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

function Order() {
  const { sortBy = 'startedAt', sortOrder = 'desc' } = route.useSearch();
  const ask = useAsk();
  const choose = (value: string) => {
    const [by, order] = value.split(' ') as [string, string];
    ask({ sortBy: by === 'startedAt' ? undefined : by, sortOrder: order === 'desc' ? undefined : order });
  };
  return <SelectField label="Order" value={`${sortBy} ${sortOrder}` as string} options={ORDERS} onChoose={choose} />;
}
