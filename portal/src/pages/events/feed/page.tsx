import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import { api, basePath } from '../../../api/client.ts';
import { useKnownEvents } from '../../../api/events.ts';
import { EventDrawer } from '../../../feed/drawer.tsx';
import { CountOfEvents, EventList, Paging } from '../../../feed/list.tsx';
import { arrivals, type FeedPage, lastPage, PAGE_SIZE, pageNumber } from '../../../feed/state.ts';
import { eventSuggestions } from '../../../question/words/choices.ts';
import { useAgent } from '../../../shell/remembered.ts';
import { Button } from '../../../ui/button.tsx';
import { Combobox } from '../../../ui/combobox.tsx';
import { CodeBlock } from '../../../ui/copy-button.tsx';
import { PageHead } from '../../../ui/page-head.tsx';
import { EmptyState, ErrorNotice, Loading } from '../../../ui/states.tsx';

const route = getRouteApi('/shell/events');

export function Feed() {
  const { name, page } = route.useSearch();
  const agent = useAgent();
  const [isLive, setLive] = useState(true);
  const number = pageNumber(page);
  return (
    <>
      <PageHead title="Events">
        {number === 1 && (
          <>
            <span className="small muted">{isLive ? 'Live: asks every 3 seconds' : 'Paused'}</span>
            <Button icon={isLive ? 'pause' : 'play'} onClick={() => setLive(!isLive)}>
              {isLive ? 'Pause' : 'Go live'}
            </Button>
          </>
        )}
      </PageHead>
      <div className="stack">
        <NameFilter key={name ?? ''} name={name} />
        <FeedPages
          key={JSON.stringify([agent, name, number])}
          agent={agent}
          name={name}
          number={number}
          isLive={isLive && number === 1}
        />
      </div>
    </>
  );
}

/** Applies a chosen name, a name with Enter, and an empty name. */
export function NameFilter({ name = '' }: { name: string | undefined }) {
  const suggestions = eventSuggestions(useKnownEvents(useAgent()));
  const navigate = useNavigate();
  const [text, setText] = useState(name);

  const apply = (chosen: string) => {
    if (chosen !== name) void navigate({ to: '/events', search: chosen === '' ? {} : { name: chosen } });
  };
  const change = (typed: string) => {
    setText(typed);
    if (typed === '') apply('');
  };
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    apply(text.trim());
  };
  return (
    <form className="name-and-button name-filter" onSubmit={submit}>
      <Combobox
        label="Event name"
        value={text}
        placeholder="All"
        suggestions={suggestions}
        help={
          <>
            Events of the runtime itself, such as <code>runtime.chat_completed</code>, are shown when you name them.
          </>
        }
        onChange={change}
        onPick={apply}
      />
      <Button type="submit">Show</Button>
    </form>
  );
}

const POLL_MS = 3_000;
/** Pixels. Up to this scroll position, new rows are inserted immediately. */
const TOP = 120;

interface FeedPagesProps {
  agent: string | undefined;
  name: string | undefined;
  number: number;
  isLive: boolean;
}

/** One page of the feed. New events wait behind a button while the reader has scrolled down or opened a row. */
function FeedPages({ agent, name, number, isLive }: FeedPagesProps) {
  const { event, eventName } = route.useSearch();
  const list = useRef<HTMLElement>(null);
  const [shown, setShown] = useState<FeedPage & { notes?: string[] }>();
  const query = { agentId: agent, eventName: name, limit: PAGE_SIZE, offset: (number - 1) * PAGE_SIZE };
  const { data, error, isError, refetch } = api.useQuery(
    'get',
    '/api/v1/runtime/v1/observability/events/feed',
    { params: { query } },
    // Hidden pages are not polled.
    { refetchInterval: isLive ? POLL_MS : false, refetchOnWindowFocus: isLive, staleTime: 0 },
  );

  const isReading = event !== undefined;
  useEffect(() => {
    if (data === undefined) return;
    const isAtTop = window.scrollY <= TOP && !list.current?.matches(':focus-within') && !isReading;
    setShown((before) => (before === undefined || (isLive && isAtTop) ? data : before));
  }, [data, isLive, isReading]);

  if (shown === undefined) return isError ? <ErrorNotice error={error} onRetry={refetch} /> : <Loading what="events" />;

  const waiting = data && number === 1 ? arrivals(shown, data) : 0;
  const bringIn = () => {
    setShown(data);
    window.scrollTo({ top: 0 });
    list.current?.focus();
  };
  return (
    <>
      {isError && <ErrorNotice error={error} onRetry={refetch} />}
      <div className="row feed-status">
        <CountOfEvents total={shown.total} number={number} />
        <div role="status">
          {waiting > 0 && (
            <Button look="primary" onClick={bringIn}>
              {waiting.toLocaleString()} new {waiting === 1 ? 'event' : 'events'}
            </Button>
          )}
        </div>
      </div>
      {/* Without a name the empty state says it. */}
      {(name !== undefined || shown.total > 0) &&
        shown.notes?.map((note) => (
          <p key={note} className="notice">
            {note}
          </p>
        ))}
      <section ref={list} className="panel" aria-label="Newest events first" tabIndex={-1}>
        {shown.events.length > 0 ? (
          <EventList events={shown.events} />
        ) : (
          <NoEvents agent={agent} name={name} total={shown.total} />
        )}
      </section>
      <Paging label="Pages of the feed" number={number} last={lastPage(shown.total)} />
      {event !== undefined && (
        <EventDrawer
          key={event}
          id={event}
          name={eventName}
          agent={agent}
          known={shown.events.find(({ id }) => id === event)}
        />
      )}
    </>
  );
}

const EVENT = '{"events": [{"eventName": "order_paid", "properties": {"amount": 49.9, "plan": "pro"}}]}';

interface NoEventsProps {
  agent: string | undefined;
  name: string | undefined;
  /** The number of events on other pages. */
  total: number;
}

function NoEvents({ agent, name, total }: NoEventsProps) {
  if (total > 0) {
    return (
      <EmptyState title="There are no older events">
        <Link to="/events" search={{ name }}>
          To the newest
        </Link>
      </EmptyState>
    );
  }
  if (name !== undefined) {
    return (
      <EmptyState title={`No event "${name}"`}>
        <Link to="/events" search={{}}>
          Show all events
        </Link>
      </EmptyState>
    );
  }
  const address = `${window.location.origin}${basePath}api/v1/runtime/v1/observability/events`;
  const curl = `curl ${address} \\\n  -H "x-api-key: ar_YOUR_KEY" -H "content-type: application/json" \\\n  -d '${EVENT}'`;
  return (
    <EmptyState title={agent === undefined ? 'No events yet' : `No events of the agent "${agent}" yet`}>
      <p>Send the first one. It appears here within seconds.</p>
      <div className="first-event">
        <CodeBlock text={curl} label="Command that sends an event" />
      </div>
      <Link to="/connect">Make a key and connect an agent</Link>
    </EmptyState>
  );
}
