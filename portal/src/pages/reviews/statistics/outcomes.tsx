import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import { api, type Schemas } from '../../../api/client.ts';
import { useKnownEvents } from '../../../api/events.ts';
import { Chart } from '../../../card/chart.tsx';
import { t } from '../../../language/index.ts';
import { EventField } from '../../../question/fields/known-fields.tsx';
import { useAgent } from '../../../shell/remembered.ts';
import { Facts } from '../../../ui/facts.tsx';
import { Section } from '../../../ui/page-head.tsx';
import { QueryState } from '../../../ui/states.tsx';
import { useSetSearch } from '../../../ui/use-set-search.ts';
import { RATINGS } from '../words.ts';
import { shareOf, sharesPicture, verdictOf } from './state.ts';

const OUTCOMES = '/api/v1/runtime/v1/observability/reviews/outcomes';
/** The API reads no more. */
const MAX_REVIEWS = 10_000;
const route = getRouteApi('/shell/reviews/statistics');

/** The share of executions of each rating that an event followed. The person chooses the event. */
export function Outcomes() {
  const agent = useAgent();
  const { outcome = '' } = route.useSearch();
  return (
    <Section id="outcomes" title={t('Did badly rated executions convert less?')}>
      <p className="muted">
        {t(
          'Choose the event that means success. An execution has converted if the event names it, or followed in its thread.',
        )}
      </p>
      <div className="outcome-field">
        <OutcomeField value={outcome} agent={agent} />
      </div>
      {outcome !== '' && <Answer outcome={outcome} agent={agent} />}
    </Section>
  );
}

/** The choice of the event. A text that is typed is asked once it is the name of one. */
function OutcomeField({ value, agent }: { value: string; agent: string | undefined }) {
  const known = useKnownEvents(agent);
  const setSearch = useSetSearch();
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const change = (name: string) => {
    setText(name);
    const isAsked = name === '' || known.some(({ eventName }) => eventName === name);
    if (isAsked) setSearch({ outcome: name || undefined }, { replace: true, resetScroll: false });
  };
  return <EventField label={t('Outcome')} value={text} agent={agent} onChange={change} />;
}

function Answer({ outcome, agent }: { outcome: string; agent: string | undefined }) {
  const query = api.useQuery('get', OUTCOMES, { params: { query: { eventName: outcome, agentId: agent } } });
  const { data } = query;
  if (!data) return <QueryState query={query} height={220} />;
  const { ratings, isCut } = data;
  if (ratings.every(({ converted }) => converted === 0)) {
    return (
      <p className="notice">
        {t.nodes(
          'No “{event}” event names one of the reviewed executions, or followed in their threads. Send {executionId} or {threadId} with the event.',
          { event: outcome, executionId: <code>executionId</code>, threadId: <code>threadId</code> },
        )}
      </p>
    );
  }
  const of = (wanted: string) => ratings.find(({ rating }) => rating === wanted)!;
  return (
    <>
      <p role="status">
        <strong>{verdictOf(of('good'), of('bad'))}</strong>
        {isCut && ` ${t('These are the newest {count} reviews.', { count: MAX_REVIEWS })}`}
      </p>
      <Shares outcome={outcome} ratings={ratings} />
    </>
  );
}

interface SharesProps {
  outcome: string;
  ratings: Schemas['ReviewOutcomes']['ratings'];
}

function Shares({ outcome, ratings }: SharesProps) {
  const labelled = useMemo(
    () => RATINGS.map(({ value, label }) => ({ label, ...ratings.find(({ rating }) => rating === value)! })),
    [ratings],
  );
  const rendered = useMemo(() => {
    const shares = Object.fromEntries(labelled.map((one) => [one.label, shareOf(one)]));
    const total = labelled.reduce((sum, { reviews }) => sum + reviews, 0);
    return sharesPicture(t('Executions with {event}', { event: outcome }), shares, total);
  }, [labelled, outcome]);
  const facts = Object.fromEntries(
    labelled.map(({ label, converted, reviews }) => [
      label,
      reviews === 0
        ? t('No execution')
        : t.count(reviews, '{converted} of {count} executions', '{converted} of {count} executions', { converted }),
    ]),
  );
  return (
    <>
      <div className="review-picture shares">
        <Chart rendered={rendered} />
      </div>
      <Facts label={t('Executions with {event}, by rating', { event: outcome })} facts={facts} />
    </>
  );
}
