import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { serverUrl } from '../../../api/client.ts';
import { useKnownEvents } from '../../../api/events.ts';
import { CountOfRows, EventList, Paging } from '../../../feed/list.tsx';
import { LiveSwitch, NewRows, polled, useShown } from '../../../feed/live.tsx';
import { OpenedEvent } from '../../../feed/opened-event.tsx';
import { arrivals, type FeedPage, pageNumber } from '../../../feed/state.ts';
import { serverText, t } from '../../../language/index.ts';
import { eventSuggestions } from '../../../question/words/choices.ts';
import { useAgent } from '../../../shell/remembered.ts';
import { Button } from '../../../ui/button.tsx';
import { Combobox } from '../../../ui/combobox.tsx';
import { CodeBlock } from '../../../ui/copy-button.tsx';
import { Form } from '../../../ui/field.tsx';
import { EmptyState, ErrorNotice, Loading } from '../../../ui/states.tsx';
import { curlOf } from '../../first-hour/snippets.ts';
import { ExploreHead } from '../head.tsx';
import { askedIn, type FeedQuestion, feedQuery } from './question.ts';

const route = getRouteApi('/shell/explore');

/** The events of the question, newest first; without a question, all of them. */
export function Feed() {
  const { question, page } = route.useSearch();
  const agent = useAgent();
  const [isLive, setLive] = useState(true);
  const number = pageNumber(page);
  const asked = askedIn(question);
  return (
    <>
      <ExploreHead>{number === 1 && <LiveSwitch isLive={isLive} onChange={setLive} />}</ExploreHead>
      <div className="stack">
        <NameFilter key={asked.eventName ?? ''} name={asked.eventName} />
        {asked.narrowed && <Narrowed name={asked.eventName} />}
        <FeedPages
          key={JSON.stringify([agent, question, number])}
          agent={agent}
          asked={asked}
          number={number}
          isLive={isLive && number === 1}
        />
      </div>
    </>
  );
}

/** The search of the feed for events of a name; without one, for all. */
function searchFor(name: string | undefined) {
  return { view: 'feed', ...(name !== undefined && { question: JSON.stringify({ eventName: name }) }) };
}

/** Says that the question shows some of the events alone. */
function Narrowed({ name = '' }: { name: string | undefined }) {
  return (
    <p className="notice">
      {t('These are the events that match the filters and the range of the question.')}
      <Link to="/explore" search={searchFor(name)}>
        {t('Show all events “{name}”', { name })}
      </Link>
    </p>
  );
}

/** Applies a chosen name, a name with Enter, and an empty name. */
function NameFilter({ name = '' }: { name: string | undefined }) {
  const suggestions = eventSuggestions(useKnownEvents(useAgent()));
  const navigate = useNavigate();
  const [text, setText] = useState(name);

  const apply = (chosen: string) => {
    if (chosen !== name) void navigate({ to: '/explore', search: searchFor(chosen || undefined) });
  };
  const change = (typed: string) => {
    setText(typed);
    if (typed === '') apply('');
  };
  return (
    <Form className="name-and-button name-filter" onSubmit={() => apply(text.trim())}>
      <Combobox
        label={t('Event name')}
        value={text}
        placeholder={t('All')}
        suggestions={suggestions}
        help={t.nodes('Events of the runtime itself, such as {name}, are shown when you name them.', {
          name: <code>runtime.chat_completed</code>,
        })}
        onChange={change}
        onPick={apply}
      />
      <Button type="submit">{t('Show')}</Button>
    </Form>
  );
}

interface FeedPagesProps {
  agent: string | undefined;
  asked: FeedQuestion;
  number: number;
  isLive: boolean;
}

/** One page of the feed. New events wait behind a button while the reader has scrolled down or opened a row. */
function FeedPages({ agent, asked, number, isLive }: FeedPagesProps) {
  const name = asked.eventName;
  const { event } = route.useSearch();
  const list = useRef<HTMLElement>(null);
  const { data, error, isError, refetch } = useQuery({ ...feedQuery(asked, agent, number), ...polled(isLive) });
  const live = useShown<FeedPage>(data, { isLive, isReading: event !== undefined, list });
  const shown = live.shown?.answer;
  if (shown === undefined) return isError ? <ErrorNotice error={error} onRetry={refetch} /> : <Loading />;
  const waiting = data && number === 1 ? arrivals(shown, data) : 0;
  return (
    <>
      {isError && <ErrorNotice error={error} onRetry={refetch} />}
      <div className="row feed-status">
        <CountOfRows noun="event" total={shown.total} number={number} />
        <NewRows noun="event" count={waiting} onShow={live.bringIn} />
      </div>
      {/* Without a name the empty state says it. */}
      {(name !== undefined || shown.total > 0) &&
        shown.notes?.map((note) => (
          <p key={note} className="notice">
            {serverText(note)}
          </p>
        ))}
      <section ref={list} className="panel" aria-label={t('Newest events first')} tabIndex={-1}>
        {shown.events.length > 0 ? (
          <EventList events={shown.events} />
        ) : (
          <NoEvents agent={agent} name={name} total={shown.total} />
        )}
      </section>
      <Paging label={t('Pages of the feed')} number={number} total={shown.total} />
      <OpenedEvent events={shown.events} agent={agent} />
    </>
  );
}

interface NoEventsProps {
  agent: string | undefined;
  name: string | undefined;
  /** The number of events on other pages. */
  total: number;
}

function NoEvents({ agent, name, total }: NoEventsProps) {
  if (total > 0) {
    return (
      <EmptyState title={t('There are no older events')}>
        <Link to="/explore" search={searchFor(name)}>
          {t('To the newest')}
        </Link>
      </EmptyState>
    );
  }
  if (name !== undefined) {
    return (
      <EmptyState title={t('No event "{name}"', { name })}>
        <Link to="/explore" search={searchFor(undefined)}>
          {t('Show all events')}
        </Link>
      </EmptyState>
    );
  }
  const curl = curlOf({ url: serverUrl, key: 'ar_YOUR_KEY' });
  return (
    <EmptyState title={agent === undefined ? t('No events yet') : t('No events of the agent "{agent}" yet', { agent })}>
      <p>{t('Send the first one. It appears here within seconds.')}</p>
      <div className="first-event">
        <CodeBlock text={curl} label={t('Command that sends an event')} />
      </div>
      <Link to="/connect">{t('Make a key and connect an agent')}</Link>
    </EmptyState>
  );
}
