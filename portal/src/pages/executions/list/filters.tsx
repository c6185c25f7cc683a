import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { t } from '../../../language/index.ts';
import { DateField } from '../../../ui/date-field.tsx';
import { SelectField } from '../../../ui/field.tsx';
import { AskedField, ClearFilters } from '../../../ui/filters.tsx';
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
  { value: 'startedAt desc', label: t('Newest first') },
  { value: 'startedAt asc', label: t('Oldest first') },
  { value: 'cost desc', label: t('Highest cost first') },
  { value: 'cost asc', label: t('Lowest cost first') },
  { value: 'latencyMs desc', label: t('Slowest first') },
  { value: 'latencyMs asc', label: t('Fastest first') },
  { value: 'totalTokens desc', label: t('Most tokens first') },
  { value: 'totalTokens asc', label: t('Fewest tokens first') },
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
  return (
    <search className="stack tight">
      <div className="fields">
        <SearchField label={t('Words of messages and output')} />
        {COMMON.map((field) => (
          <FieldFilter key={field.name} field={field} />
        ))}
        <Order />
      </div>
      <details className="folded" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>{t('More filters')}</summary>
        <div className="fields">
          <DateFilter name="from" label={t('From')} />
          <DateFilter name="to" label={t('Through')} />
          {RARE.map((field) => (
            <FieldFilter key={field.name} field={field} />
          ))}
        </div>
      </details>
      {isFiltered(search) && (
        <div className="row">
          <ClearFilters onClear={() => ask(NONE)} />
        </div>
      )}
    </search>
  );
}

function FieldFilter({ field: { name, label, options, kind } }: { field: (typeof FIELDS)[number] }) {
  const value = route.useSearch()[name] ?? '';
  const ask = useAsk();
  if (options) {
    const choose = (chosen: string) => ask({ [name]: chosen || undefined });
    return <SelectField label={label} value={value} options={options} onChoose={choose} />;
  }
  return (
    <AskedField
      label={label}
      maxLength={200}
      {...(kind === 'number' && NUMBER)}
      value={value}
      onAsk={(text) => ask({ [name]: text })}
    />
  );
}

function DateFilter({ name, label }: { name: 'from' | 'to'; label: string }) {
  const value = route.useSearch()[name] ?? '';
  const ask = useAsk();
  return <DateField label={label} value={value} onChoose={(date) => ask({ [name]: date || undefined })} />;
}

function Order() {
  const { sortBy = 'startedAt', sortOrder = 'desc' } = route.useSearch();
  const ask = useAsk();
  const choose = (value: string) => {
    const [by, order] = value.split(' ') as [string, string];
    ask({ sortBy: by === 'startedAt' ? undefined : by, sortOrder: order === 'desc' ? undefined : order });
  };
  return (
    <SelectField label={t('Order')} value={`${sortBy} ${sortOrder}` as string} options={ORDERS} onChoose={choose} />
  );
}
