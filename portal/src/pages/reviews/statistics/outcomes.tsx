import { useQueries } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import { AGGREGATE } from '../../../api/answers.ts';
import { api, type Schemas } from '../../../api/client.ts';
import { useKnownEvents } from '../../../api/events.ts';
import { Chart } from '../../../card/chart.tsx';
import { EventField } from '../../../question/fields/known-fields.tsx';
import { useAgent } from '../../../shell/remembered.ts';
import { Facts } from '../../../ui/facts.tsx';
import { Section } from '../../../ui/page-head.tsx';
import { QueryState } from '../../../ui/states.tsx';
import { useSetSearch } from '../../../ui/use-set-search.ts';
import { RATINGS } from '../words.ts';
import { type Converted, reviewsRated, type Stats, shareOf, sharesPicture, verdictOf } from './state.ts';

const route = getRouteApi('/shell/reviews/statistics');

/** The share of executions of each rating that an event was recorded with. The person chooses the event. */
export function Outcomes({ stats }: { stats: Stats }) {
  const agent = useAgent();
  const { outcome = '' } = route.useSearch();
  return (
    <Section id="outcomes" title="Did badly rated executions convert less?">
      <p className="muted">
        Choose the event that means success. An execution has converted if the event was sent with its{' '}
        <code>executionId</code>; events that name only the thread do not count.
        {agent !== undefined && ` Only events of the agent “${agent}” count.`}
      </p>
      <div className="outcome-field">
        <OutcomeField value={outcome} agent={agent} />
      </div>
      {outcome !== '' && <Answer outcome={outcome} agent={agent} stats={stats} />}
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
  return <EventField label="Outcome" value={text} agent={agent} onChange={change} />;
}

interface AnswerProps {
  outcome: string;
  agent: string | undefined;
  stats: Stats;
}

function Answer({ outcome, agent, stats }: AnswerProps) {
  const query = useConverted(outcome, agent);
  const { data } = query;
  const rated = useMemo(
    () =>
      data &&
      RATINGS.map(({ value, label }, index) => ({
        rating: value,
        label,
        reviews: reviewsRated(stats, value),
        converted: data.converted[index]!,
      })),
    [data, stats],
  );
  if (!data || !rated) return <QueryState query={query} what="the outcomes" height={220} />;
  const { withExecution, events } = data;
  if (withExecution === 0) {
    return (
      <p className="notice">
        {events === 0
          ? `No event has the name “${outcome}”${agent === undefined ? '' : ` and the agent “${agent}”`}.`
          : `None of the ${events.toLocaleString()} “${outcome}” events names an execution, so it is not known which executions led to them. Send executionId with the event.`}
      </p>
    );
  }
  const of = (rating: string) => rated.find((one) => one.rating === rating)!;
  return (
    <>
      <p role="status">
        <strong>{verdictOf(of('good'), of('bad'))}</strong>
      </p>
      <Shares outcome={outcome} rated={rated} total={stats.total} />
    </>
  );
}

interface SharesProps {
  outcome: string;
  rated: readonly (Converted & { label: string })[];
  total: number;
}

function Shares({ outcome, rated, total }: SharesProps) {
  const rendered = useMemo(() => {
    const shares = Object.fromEntries(rated.map((one) => [one.label, shareOf(one)]));
    return sharesPicture(`Executions with ${outcome}`, shares, total);
  }, [rated, outcome, total]);
  const facts = Object.fromEntries(
    rated.map(({ label, converted, reviews }) => [
      label,
      reviews === 0 ? 'No execution' : `${converted.toLocaleString()} of ${reviews.toLocaleString()} executions`,
    ]),
  );
  return (
    <>
      <div className="review-picture shares">
        <Chart rendered={rendered} />
      </div>
      <Facts label={`Executions with ${outcome}, by rating`} facts={facts} />
    </>
  );
}

/** By rating, the executions that the outcome was recorded with; and how many of its events name an execution. */
function useConverted(eventName: string, agent: string | undefined) {
  const asked = { eventName, agentId: agent ?? '*', propertyKey: 'executionId' };
  const bodies: Schemas['AggregateEvents'][] = [
    { ...asked, aggregation: 'count' },
    ...RATINGS.map(({ value }) => ({ ...asked, aggregation: 'distinct_count' as const, review: { rating: [value] } })),
  ];
  return useQueries({
    queries: bodies.map((body) => api.queryOptions('post', AGGREGATE, { body })),
    combine: (results) => ({
      data: convertedOf(results.map(({ data }) => data)),
      error: results.find(({ error }) => error !== null)?.error ?? null,
      refetch: () => Promise.all(results.map(({ refetch }) => refetch())),
    }),
  });
}

/** Undefined until every answer is there. */
function convertedOf(answers: readonly (Schemas['AggregateAnswer'] | undefined)[]) {
  const [all, ...rated] = answers.filter((answer) => answer !== undefined);
  if (!all || rated.length < RATINGS.length) return undefined;
  return {
    events: all.basis.matchedEvents,
    withExecution: all.value ?? 0,
    converted: rated.map(({ value }) => value ?? 0),
  };
}
