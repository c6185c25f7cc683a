import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { api } from '../../../api/client.ts';
import { EventList } from '../../../feed/list.tsx';
import { OpenedEvent } from '../../../feed/opened-event.tsx';
import { eventOfRow } from '../../../feed/state.ts';
import { t } from '../../../language/index.ts';
import { SelectField } from '../../../ui/field.tsx';
import { Badge } from '../../../ui/item-list.tsx';
import { Section } from '../../../ui/page-head.tsx';
import { QueryState } from '../../../ui/states.tsx';
import { useSetSearch } from '../../../ui/use-set-search.ts';
import { FAILED, failuresOf } from '../calls.ts';
import { CONNECTORS, ENVIRONMENT_LABELS } from '../connectors.ts';
import { CallFigures, LatencyChart } from './calls-over-time.tsx';
import { type PartProps, RANGES, type Range } from './parts.ts';
import { circuitInWords } from './words.ts';

const route = getRouteApi('/shell/connectors/$slug');
const REFRESH_MS = 10_000;
const TONES = { closed: 'good', open: 'bad', 'half-open': 'warning' } as const;

/** Whether calls work: circuits, numbers and latency of the recorded calls, and the last failures. */
export function Health({ definition: { slug } }: PartProps) {
  const search = route.useSearch();
  const setSearch = useSetSearch();
  const range = RANGES.find(({ value }) => value === search.range)?.value ?? '-24h';
  return (
    <>
      <Circuits slug={slug} />
      <div className="search">
        <SelectField
          label={t('Period')}
          value={range}
          options={RANGES}
          onChoose={(next) => setSearch({ range: next === '-24h' ? undefined : next })}
        />
      </div>
      <CallFigures slug={slug} range={range} />
      <LatencyChart slug={slug} range={range} />
      <Failures slug={slug} range={range} />
    </>
  );
}

function Circuits({ slug }: { slug: string }) {
  const params = { path: { slug } };
  const query = api.useQuery('get', `${CONNECTORS}/{slug}/circuits`, { params }, { refetchInterval: REFRESH_MS });
  return (
    <Section id="circuits" title={t('Circuits')}>
      <QueryState query={query} height={40} />
      {query.data?.circuits.map((circuit) => (
        <p key={circuit.environment} className="row">
          <Badge tone={TONES[circuit.state]}>{ENVIRONMENT_LABELS[circuit.environment]}</Badge>
          {circuitInWords(circuit)}
        </p>
      ))}
    </Section>
  );
}

function Failures({ slug, range }: { slug: string; range: Range }) {
  const query = useQuery(failuresOf(slug, range));
  const events = (query.data?.rows ?? []).map((row) => eventOfRow(FAILED, row));
  return (
    <Section id="failures" title={t('Last failures')}>
      <QueryState query={query} height={80} />
      {query.data && events.length === 0 && <p className="muted">{t('No call has failed in this time.')}</p>}
      {events.length > 0 && <EventList events={events} />}
      <OpenedEvent events={events} />
    </Section>
  );
}
