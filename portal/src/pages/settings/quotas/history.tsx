import { keepPreviousData } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { RenderedCard } from '../../../../../src/charts/answer.ts';
import { api, type Schemas } from '../../../api/client.ts';
import { Chart } from '../../../card/chart.tsx';
import { DataTable } from '../../../card/data-table.tsx';
import { LOCALE, t } from '../../../language/index.ts';
import { Button } from '../../../ui/button.tsx';
import { SelectField } from '../../../ui/field.tsx';
import { EmptyState, QueryState } from '../../../ui/states.tsx';
import { useSetSearch } from '../../../ui/use-set-search.ts';
import { HISTORY } from './quotas.ts';

const route = getRouteApi('/shell/settings/quotas');

const UNITS = [
  { value: 'tokens', label: t('Tokens') },
  { value: 'USD', label: t('Cost in US dollars') },
] as const;

const RANGES = [
  { value: '7', label: t('7 days') },
  { value: '30', label: t('30 days') },
  { value: '90', label: t('90 days') },
] as const;

/** The usage of chats by day: of the tenant, or of the key in the address. */
export function History({ keyLabel }: { keyLabel: string | undefined }) {
  const search = route.useSearch();
  const setSearch = useSetSearch();
  const [isTable, setTable] = useState(false);
  const unit = search.unit === 'USD' ? 'USD' : 'tokens';
  const range = RANGES.find(({ value }) => value === search.days)?.value ?? '30';
  const asked = { unit, days: Number(range), ...(search.key && { key: search.key }) } as const;
  const query = api.useQuery('get', HISTORY, { params: { query: asked } }, { placeholderData: keepPreviousData });
  const { data } = query;
  const rendered = useMemo(() => data && pictureOf(data), [data]);
  return (
    <section className="panel padded stack" aria-labelledby="history">
      <div className="row">
        <h2 id="history" className="grow">
          {search.key ? t('Usage by day of {key}', { key: keyLabel ?? search.key }) : t('Usage by day')}
        </h2>
        {search.key && <Button onClick={() => setSearch({ key: undefined })}>{t('Whole tenant')}</Button>}
        <Button icon="table" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
          {t('Table')}
        </Button>
      </div>
      <div className="fields">
        <SelectField
          label={t('Unit')}
          value={unit}
          options={UNITS}
          onChoose={(next) => setSearch({ unit: next === 'tokens' ? undefined : next })}
        />
        <SelectField
          label={t('Days')}
          value={range}
          options={RANGES}
          onChoose={(next) => setSearch({ days: next === '30' ? undefined : next })}
        />
      </div>
      <div className="picture line">
        {data && rendered ? (
          <Picture rendered={rendered} isEmpty={data.total === 0} isTable={isTable} />
        ) : (
          <QueryState query={query} height={260} />
        )}
      </div>
      <p className="small muted">
        {data ? `${inDays(data)} · ${t('days begin at midnight in {timezone}', { timezone: data.timezone })}` : '…'}
      </p>
    </section>
  );
}

function Picture({ rendered, isEmpty, isTable }: { rendered: RenderedCard; isEmpty: boolean; isTable: boolean }) {
  if (isTable) return <DataTable rendered={rendered} />;
  if (!isEmpty) return <Chart rendered={rendered} />;
  return (
    <EmptyState title={t('Nothing was used in these days')}>
      <p>{t('Chats are counted from when the tenant or the key first has a budget of tokens or dollars.')}</p>
    </EmptyState>
  );
}

function inDays({ unit, total, days }: Schemas['UsageHistory']): string {
  const used =
    unit === 'tokens'
      ? t.count(total, '{count} token', '{count} tokens')
      : total.toLocaleString(LOCALE, { style: 'currency', currency: 'USD' });
  return t.count(days.length, '{used} in {count} day', '{used} in {count} days', { used });
}

/** As a card. Dates are those of the tenant's zone already: the picture shifts them by none. */
function pictureOf({ unit, days, total }: Schemas['UsageHistory']): RenderedCard {
  const series = days.map(({ date, amount }) => ({ bucket: `${date}T00:00:00Z`, value: amount }));
  const format = unit === 'USD' ? { format: { prefix: '$' } } : { unit: t('tokens') };
  return {
    card: { title: unit === 'USD' ? t('Cost by day') : t('Tokens by day'), cardType: 'line' },
    data: { series, ...format },
    basis: {
      aggregation: 'sum',
      from: series[0]?.bucket ?? null,
      to: series.at(-1)?.bucket ?? null,
      timezone: 'UTC',
      matchedEvents: total > 0 ? 1 : 0,
    },
  };
}
